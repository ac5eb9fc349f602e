internal import EscrowSchema

/// The kinds of source that there are.
enum SourceAdapters {
    /// One line a kind, in the order in which they are shown.
    static let all: [any SourceAdapter] = [
        ContactsAdapter(),
        PhotosAdapter(),
        LocationAdapter(),
        MusicAdapter(),
        RecordingsAdapter(),
        BrowserAdapter(),
        SensorAdapter(),
        CalendarAdapter(),
        HealthAdapter(),
        MailAdapter(),
        ExposureAdapter(),
        DocumentsAdapter(),
    ]

    /// The adapter of a kind.
    static subscript(_ kind: SourceKind) -> (any SourceAdapter)? { all.first { $0.kind == kind } }
}
