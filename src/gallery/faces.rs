//! The faces of two firms of the example, whatever brands the sandbox runs with.

use vincula_pages::{Face, brands::Brand, face::Picture};

/// A firm with a dark colour, and everything that a brand may have.
pub fn dark() -> Face {
    face(
        include_str!("../../deploy/brands-example/4217/brand.json"),
        include_str!("../../deploy/brands-example/4217/logo.svg"),
        "132",
    )
}

/// A firm with a light colour and few other parts.
pub fn light() -> Face {
    face(
        include_str!("../../deploy/brands-example/5108/brand.json"),
        include_str!("../../deploy/brands-example/5108/logo.svg"),
        "44",
    )
}

/// The logo is in its address: it needs no folder.
fn face(json: &str, svg: &str, width: &str) -> Face {
    let face = Brand::parse(json).expect("the examples are tested").face(&Face::default());
    let src = format!("data:image/svg+xml,{}", svg.replace('#', "%23").replace('"', "'").replace('\n', ""));
    Face { logo: Some(Picture { src, width: width.to_owned() }), ..face }
}
