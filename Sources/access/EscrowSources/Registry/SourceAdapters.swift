internal import EscrowDesktop
internal import EscrowMedia
internal import EscrowPeople
internal import EscrowPlaces
internal import EscrowTableKit

/// The kinds of source that there are.
enum SourceAdapters {
    /// One line a kind, in the order in which they are shown.
    static let all: [any SourceAdapter] = [
        PeopleKinds.contacts,
        MediaKinds.photos,
        PlaceKinds.location,
        MediaKinds.music,
        MediaKinds.recordings,
        DesktopKinds.browser,
        PlaceKinds.sensors,
        PeopleKinds.calendar,
        PlaceKinds.health,
        PeopleKinds.mail,
        PlaceKinds.exposure,
        DesktopKinds.documents,
        DesktopKinds.accountBook,
    ]

    static subscript(_ kind: SourceKind) -> (any SourceAdapter)? { all.first { $0.kind == kind } }
}
