//! What the receipt proves.

/// The authorization of a session, as its receipt shows it. Times are those of Brasília: "22/11/2026 às 16h40".
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Receipt {
    pub client_name: String,
    /// Empty if the session began under a version that did not record it.
    pub authorized_at: String,
    /// Eight hexadecimal digits that name the text to which the client agreed; empty as above.
    pub text_version: String,
    /// The client has cancelled everything since.
    pub cancelled: bool,
    /// The banks that were linked in this session, and when.
    pub banks: Vec<(String, String)>,
}
