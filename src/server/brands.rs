//! The faces of all firms: read at the start, and read anew on SIGHUP without a pause.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;
use vincula_pages::{
    Face,
    brands::{self, Brand, Brands, Refused},
    theme::Logo,
};
use vincula_upstream::Id;

use crate::steps::evidence::{Purpose, Purposes};

/// How long a logo is served that no firm has any more: longer than a session, whose pages may show it.
const OLD_LOGOS_STAY: Duration = Duration::from_secs(8 * 86_400);

/// The faces that sessions wear.
pub struct Faces {
    dir: Option<PathBuf>,
    deployment: Face,
    deployment_logo: Option<Logo>,
    worn: RwLock<Arc<Worn>>,
}

/// One reading of the folders. A request that has begun with it keeps it.
#[derive(Default)]
struct Worn {
    brands: Brands,
    /// By address, which tells nothing of the firm.
    logos: HashMap<Box<str>, Served>,
}

/// A logo, and since when no firm has it.
#[derive(Clone)]
struct Served {
    logo: Logo,
    left_at: Option<Instant>,
}

impl Faces {
    /// Reads all brands, if the deployment has any.
    ///
    /// # Errors
    /// If a folder is not usable.
    pub fn read(deployment: Face, deployment_logo: Option<Logo>, dir: Option<PathBuf>) -> Result<Self, Refused> {
        let faces = Self { dir, deployment, deployment_logo, worn: RwLock::default() };
        match faces.reread() {
            Ok(None) => Ok(faces),
            Ok(Some(refused)) | Err(refused) => Err(refused),
        }
    }

    /// Reads the folders again. Those that are not usable keep their brand, and are returned.
    ///
    /// # Errors
    /// If the directory cannot be read: then everything stays.
    pub fn reread(&self) -> Result<Option<Refused>, Refused> {
        let before = self.worn();
        let (brands, refused) = match &self.dir {
            Some(dir) => brands::read(dir, &before.brands)?,
            None => (Brands::new(), None),
        };
        let now = Instant::now();
        let left = before
            .logos
            .iter()
            .map(|(path, served)| (path.clone(), Served { left_at: served.left_at.or(Some(now)), ..served.clone() }));
        let mut logos: HashMap<_, _> =
            left.filter(|(_, old)| old.left_at.is_none_or(|left| now - left < OLD_LOGOS_STAY)).collect();
        let of_firms = brands.values().filter_map(|brand| brand.logo());
        for logo in of_firms.chain(&self.deployment_logo) {
            logos.insert(logo.path().into(), Served { logo: logo.clone(), left_at: None });
        }
        *self.worn.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Worn { brands, logos });
        Ok(refused)
    }

    /// The face of a firm; without a brand that of the deployment.
    pub fn of(&self, firm: Option<&Id>) -> Face {
        let brand = firm.and_then(|id| self.brand(id));
        brand.map_or_else(|| self.deployment.clone(), |brand| brand.face(&self.deployment))
    }

    /// The brand of a firm.
    fn brand(&self, firm: &Id) -> Option<Arc<Brand>> {
        let worn = self.worn();
        // Most deployments have none, and need not write the id down.
        if worn.brands.is_empty() { None } else { worn.brands.get(firm.to_string().as_str()).cloned() }
    }

    /// The logo at an address.
    pub fn logo(&self, path: &str) -> Option<Logo> {
        self.worn().logos.get(path).map(|served| served.logo.clone())
    }

    /// How many firms have a brand.
    pub fn count(&self) -> usize {
        self.worn().brands.len()
    }

    /// Whether there is something to read anew.
    pub fn can_change(&self) -> bool {
        self.dir.is_some()
    }

    fn worn(&self) -> Arc<Worn> {
        Arc::clone(&self.worn.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Purposes for Faces {
    fn of(&self, firm: &Id) -> Option<Purpose> {
        let vincula_pages::face::Purpose { sentence, digits } = self.brand(firm)?.purpose()?;
        Some(Purpose { sentence, digits })
    }
}

/// Reads the brands anew at each SIGHUP; the log has what is not usable. Without brands the signal keeps its meaning.
///
/// # Errors
/// If the process may not listen for the signal.
pub fn reread_on_hangup(faces: Arc<Faces>) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    if !faces.can_change() {
        return Ok(());
    }
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            let faces = Arc::clone(&faces);
            if !on_own_thread(move || report(&faces, faces.reread())).await {
                tracing::error!("the brands could not be read: they stay as they were");
            }
        }
    });
    Ok(())
}

/// Runs blocking work on a thread of its own, and returns whether it came to its end. The runtime's own threads for such
/// work would delay the end of the process until the work is done, and a file system may hang.
async fn on_own_thread(work: impl FnOnce() + Send + 'static) -> bool {
    let (ended, end) = oneshot::channel();
    let begun = thread::Builder::new().name("brands".into()).spawn(move || {
        work();
        let _ = ended.send(());
    });
    begun.is_ok() && end.await.is_ok()
}

fn report(faces: &Faces, outcome: Result<Option<Refused>, Refused>) {
    let (refused, stays) = match outcome {
        Ok(refused) => (refused, "the brand of this folder stays as it was"),
        Err(refused) => (Some(refused), "all brands stay as they were"),
    };
    for why in refused.iter().flat_map(Refused::each) {
        tracing::error!(%why, "BRANDS_DIR: {stays}");
    }
    tracing::info!(firms = faces.count(), "brands read");
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::Runtime;

    use super::*;

    #[test]
    fn a_file_system_that_hangs_delays_no_stop() {
        let (stopped, stop) = mpsc::channel();
        let (_never, hangs) = mpsc::channel::<()>();
        thread::spawn(move || {
            let runtime = Runtime::new().unwrap();
            let (begun, waiting) = oneshot::channel();
            let work = move || {
                let _ = begun.send(());
                let _ = hangs.recv();
            };
            runtime.spawn(on_own_thread(work));
            runtime.block_on(waiting).unwrap();
            drop(runtime);
            stopped.send(()).unwrap();
        });
        assert_eq!(stop.recv_timeout(Duration::from_secs(10)), Ok(()));
    }

    #[tokio::test]
    async fn work_that_panics_is_noticed() {
        assert!(on_own_thread(|| {}).await);
        assert!(!on_own_thread(|| panic!("as expected")).await);
    }
}
