//! The faces and logos of the deployment and of all firms, read at the start.

use std::{collections::HashMap, path::Path, sync::Arc};

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
};
use vincula_domain::routes;
use vincula_pages::{
    Face,
    brands::{self, Brands, Refused},
    face::Purpose,
    theme::Logo,
};
use vincula_upstream::Id;

/// An SVG file may hold scripts: opened by itself it is a sandboxed document, and an `<img>` never runs them.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// What sessions show of their firms.
pub struct Faces {
    deployment: Face,
    firms: HashMap<Box<str>, Face>,
    /// By address, which does not reveal the firm.
    logos: HashMap<String, Logo>,
}

impl Faces {
    /// Reads all brands, if the deployment has any.
    ///
    /// # Errors
    /// If a folder is not usable.
    pub fn read(deployment: Face, deployment_logo: Option<Logo>, dir: Option<&Path>) -> Result<Self, Refused> {
        let Brands { faces, logos } = dir.map(|dir| brands::read(dir, &deployment)).transpose()?.unwrap_or_default();
        let logos = logos.into_iter().chain(deployment_logo).map(|logo| (logo.path().to_owned(), logo)).collect();
        Ok(Self { deployment, firms: faces, logos })
    }

    /// The face of a firm; without a brand that of the deployment.
    pub fn of(&self, firm: Option<&Id>) -> Face {
        firm.and_then(|id| self.firm(id)).unwrap_or(&self.deployment).clone()
    }

    fn firm(&self, id: &Id) -> Option<&Face> {
        // Most deployments have none, and need not write the id down.
        if self.firms.is_empty() { None } else { self.firms.get(id.to_string().as_str()) }
    }

    /// The purposes that firms say themselves, by the firm's id.
    pub fn purposes(&self) -> HashMap<String, Purpose> {
        self.firms.iter().filter_map(|(id, face)| Some((id.to_string(), face.purpose.clone()?))).collect()
    }

    /// How many firms have a brand.
    pub fn count(&self) -> usize {
        self.firms.len()
    }

    fn serve_logo(&self, path: &str) -> Response {
        let Some(logo) = self.logos.get(path).cloned() else { return StatusCode::NOT_FOUND.into_response() };
        let headers: [(HeaderName, &str); 3] = [
            (header::CONTENT_TYPE, logo.kind()),
            (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        (headers, Bytes::from_owner(logo)).into_response()
    }
}

/// The route of all logos. Their addresses are looked up: nothing of a request becomes the path of a file.
pub fn router<S: Clone + Send + Sync + 'static>(faces: Arc<Faces>) -> Router<S> {
    let logo = async move |uri: Uri| faces.serve_logo(uri.path());
    Router::new().route(&format!("{}/{{file}}", routes::THEME), get(logo))
}
