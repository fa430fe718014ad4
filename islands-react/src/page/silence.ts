/** How long a live region stays empty before it says the same text again. Screen readers miss shorter gaps. */
export const SILENT_MS = 150;
