package import EscrowTableKit

/// The kinds that tell of people: whom one knows, whom one meets and to whom one writes.
package enum PeopleKinds {
    package static let contacts: any SourceAdapter = ContactsAdapter()
    package static let calendar: any SourceAdapter = CalendarAdapter()
    package static let mail: any SourceAdapter = MailAdapter()

    /// What these kinds keep of files.
    package static let facts: [any FileFacts.Type] = [MailHeaders.self]
}
