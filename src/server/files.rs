//! Built files, kept in memory: they are a megabyte together, and a download costs no file descriptor, thread or copy,
//! however slow the client is. A file is found by its exact address: no path is built from a request.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    fs,
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    body::{Body, Bytes},
    extract::{OriginalUri, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use httpdate::HttpDate;

/// Files by their addresses; clones share them.
#[derive(Clone)]
pub struct Files(Arc<Source>);

enum Source {
    InMemory(HashMap<String, File>),
    /// Folders by the addresses that they are served at: read at each request, during development.
    FromDisk(Vec<(String, PathBuf)>),
}

/// A file in the encodings that the build made. `B` is its bytes, or their range in the [`FileBuffer`].
#[derive(Clone)]
struct File<B = Bytes> {
    kind: HeaderValue,
    changed: HttpDate,
    plain: B,
    br: Option<B>,
    gzip: Option<B>,
}

/// Files read one behind another into one buffer: many buffers would take several times the memory.
struct FileBuffer {
    bytes: Vec<u8>,
    files: HashMap<String, File<Range<usize>>>,
}

impl Files {
    /// Reads all files in these folders and below; each folder comes with the address that it is served at.
    pub fn in_memory(folders: &[(String, PathBuf)]) -> Self {
        let mut buffer = FileBuffer::new();
        for (address, folder) in folders {
            buffer.collect(address, folder);
        }
        Self(Arc::new(Source::InMemory(buffer.into_files())))
    }

    /// The same, but read at each request.
    pub fn from_disk(folders: Vec<(String, PathBuf)>) -> Self {
        Self(Arc::new(Source::FromDisk(folders)))
    }

    /// The handler for every address that may be a file's.
    pub fn service(&self) -> MethodRouter {
        let serve = async |State(files): State<Self>, OriginalUri(uri): OriginalUri, asked: HeaderMap| {
            files.find(uri.path()).map_or_else(|| StatusCode::NOT_FOUND.into_response(), |file| file.answer(&asked))
        };
        get(serve).with_state(self.clone())
    }

    fn find(&self, path: &str) -> Option<File> {
        match &*self.0 {
            Source::InMemory(files) => files.get(path).cloned(),
            Source::FromDisk(folders) => folders.iter().find_map(|(address, folder)| {
                let name = path.strip_prefix(address.as_str())?.strip_prefix('/')?;
                name.split('/').all(is_name).then_some(())?;
                let mut buffer = FileBuffer::new();
                buffer.add(path, &folder.join(name)).ok()?;
                buffer.into_files().remove(path)
            }),
        }
    }
}

/// Whether the build could name a file or a folder so: no hidden names, and none that lead elsewhere.
fn is_name(name: &str) -> bool {
    !name.starts_with('.') && !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

/// Initial capacity of the buffer; the site is half of this.
const INITIAL_CAPACITY: usize = 2 * 1024 * 1024;

impl FileBuffer {
    fn new() -> Self {
        Self { bytes: Vec::with_capacity(INITIAL_CAPACITY), files: HashMap::new() }
    }

    /// Adds a folder. A missing one has no files: this build does not need it.
    fn collect(&mut self, address: &str, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Some(name) = name.to_str().filter(|name| is_name(name)) else { continue };
            let address = format!("{address}/{name}");
            if path.is_dir() {
                self.collect(&address, &path);
            } else if !is_compressed_form(&path) && !self.files.contains_key(&address) {
                // The file may be gone by now.
                let _ = self.add(&address, &path);
            }
        }
    }

    fn add(&mut self, address: &str, path: &Path) -> io::Result<()> {
        let kind = mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream");
        let file = File {
            kind: HeaderValue::from_static(kind),
            changed: fs::metadata(path)?.modified()?.into(),
            plain: self.read(path.as_os_str())?,
            br: self.read(&ending(path, ".br")).ok(),
            gzip: self.read(&ending(path, ".gz")).ok(),
        };
        self.files.insert(address.to_owned(), file);
        Ok(())
    }

    /// Appends a file's bytes, and returns their range.
    fn read(&mut self, path: &OsStr) -> io::Result<Range<usize>> {
        let start = self.bytes.len();
        fs::File::open(path)?.read_to_end(&mut self.bytes)?;
        Ok(start..self.bytes.len())
    }

    fn into_files(self) -> HashMap<String, File> {
        let bytes = Bytes::from(self.bytes);
        let with_bytes = |(address, file): (String, File<Range<usize>>)| {
            let File { kind, changed, plain, br, gzip } = file;
            let slice = |range| bytes.slice(range);
            (address, File { kind, changed, plain: slice(plain), br: br.map(slice), gzip: gzip.map(slice) })
        };
        self.files.into_iter().map(with_bytes).collect()
    }
}

/// Whether the file is the compressed form of another one.
fn is_compressed_form(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "br" || ending == "gz") && path.with_extension("").is_file()
}

fn ending(path: &Path, ending: &str) -> OsString {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name
}

impl File {
    fn answer(&self, asked: &HeaderMap) -> Response {
        let date = |name: HeaderName| asked.get(name)?.to_str().ok()?.parse::<HttpDate>().ok();
        if date(header::IF_UNMODIFIED_SINCE).is_some_and(|since| self.changed > since) {
            return StatusCode::PRECONDITION_FAILED.into_response();
        }
        if date(header::IF_MODIFIED_SINCE).is_some_and(|since| self.changed <= since) {
            return StatusCode::NOT_MODIFIED.into_response();
        }
        let (encoding, bytes) = self.form(asked);
        let size = bytes.len();
        let part = asked.get(header::RANGE).and_then(|range| range.to_str().ok()).map(|range| part(range, size));
        let (status, range, body) = match part {
            None => (StatusCode::OK, None, bytes),
            Some(Some((first, last))) => {
                let range = format!("bytes {first}-{last}/{size}");
                (StatusCode::PARTIAL_CONTENT, Some(range), bytes.slice(first..=last))
            }
            Some(None) => (StatusCode::RANGE_NOT_SATISFIABLE, Some(format!("bytes */{size}")), Bytes::new()),
        };
        let mut response = (status, Body::from(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.kind.clone());
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        let texts = [(header::LAST_MODIFIED, Some(self.changed.to_string())), (header::CONTENT_RANGE, range)];
        for (name, text) in texts {
            if let Some(value) = text.and_then(|text| HeaderValue::try_from(text).ok()) {
                headers.insert(name, value);
            }
        }
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }

    /// The smallest form that the browser accepts.
    fn form(&self, asked: &HeaderMap) -> (Option<&'static str>, Bytes) {
        let compressed = [("br", &self.br), ("gzip", &self.gzip)];
        let taken = compressed.into_iter().find_map(|(encoding, form)| {
            let form = form.as_ref().filter(|_| accepts(asked, encoding))?;
            Some((Some(encoding), form.clone()))
        });
        taken.unwrap_or_else(|| (None, self.plain.clone()))
    }
}

/// Whether `Accept-Encoding` names the encoding with a weight above zero.
pub fn accepts(asked: &HeaderMap, encoding: &str) -> bool {
    let lines = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let mut choices =
        lines.flat_map(|line| line.split(',')).map(|choice| choice.split_once(';').unwrap_or((choice, "")));
    choices.any(|(name, weight)| {
        let weight = weight.trim().trim_start_matches(['q', 'Q']).trim_start_matches('=');
        name.trim().eq_ignore_ascii_case(encoding) && weight.parse().unwrap_or(1.0) > 0.0
    })
}

/// First and last byte of the requested part; `None` if there are several parts, or if none is within the file.
fn part(range: &str, size: usize) -> Option<(usize, usize)> {
    let parts = http_range_header::parse_range_header(range).ok()?.validate(size as u64).ok()?;
    let [part] = parts.as_slice() else { return None };
    Some((usize::try_from(*part.start()).ok()?, usize::try_from(*part.end()).ok()?))
}
