//! The faces of two firms of the example, whatever brands the sandbox runs with.

use vincula_pages::{Face, brands::Brand, face::Picture};

/// A firm with a dark colour, and everything that a brand may have.
pub fn dark() -> Face {
    face(include_str!("../../deploy/brands-example/4217/brand.json"), "/social.png", "84")
}

/// A firm with a light colour and few other parts.
pub fn light() -> Face {
    face(include_str!("../../deploy/brands-example/5108/brand.json"), "/icon-192.png", "44")
}

/// The logo is one of our own pictures: it needs no folder.
fn face(json: &str, logo: &str, width: &str) -> Face {
    let face = Brand::parse(json).expect("the examples are tested").face(&Face::default());
    Face { logo: Some(Picture { src: logo.to_owned(), width: width.to_owned() }), ..face }
}
