//! What the receipt proves.

/// The authorization of a session, as its receipt shows it. Times are those of Brasília: "22/11/2026 às 16h40".
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Receipt {
    pub client_name: String,
    pub authorized_at: String,
    /// Eight hexadecimal digits that name the text to which the client agreed.
    pub text_version: String,
    /// When the client cancelled everything, unless the firm was authorized anew since.
    pub cancelled_at: Option<String>,
    /// When an earlier consent of this session was given, and when it was cancelled.
    pub before: Option<(String, String)>,
    /// The banks that were linked in this session, and when.
    pub banks: Vec<(String, String)>,
}
