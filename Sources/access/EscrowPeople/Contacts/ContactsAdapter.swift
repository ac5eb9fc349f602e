internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// vCards and address books: a file, or a folder of them.
    static let contacts = SourceKind(word: "contacts")
}

/// Contacts in vCard files, and in the address books of Thunderbird and Evolution.
struct ContactsAdapter: SourceAdapter {
    let kind = SourceKind.contacts
    let accepts =
        "a vCard file, Thunderbird's abook.sqlite or Evolution's contacts.db, a zip archive with some, or a folder of them"
    let nothingFound = "no file .vcf or .vcard, no abook.sqlite and no contacts.db"
    let typicalRows = 1_000
    let archiveEndings: Set = ["zip"]
    let indexNames = [CardIndex.name]
    let specs = [
        ContactsSpec.contacts, ContactsSpec.phoneNumbers, ContactsSpec.emailAddresses,
        ContactsSpec.postalAddresses, ContactGroupsSpec.groups, ContactGroupsSpec.groupMembers,
        ContactGroupsSpec.containers, ContactGroupsSpec.containerMembers,
    ]

    func classify(_ file: FileCandidate) -> UInt8? {
        if ["vcf", "vcard"].contains(file.ending) { return ContactFile.cards }
        if file.isRoot {
            return ["sqlite", "db"].contains(file.ending) ? ContactFile.addressBook : ContactFile.cards
        }
        // Thunderbird numbers further books: abook-1.sqlite.
        let isThunderbird = file.ending == "sqlite" && file.name.hasPrefix("abook")
        return isThunderbird || file.name == "contacts.db" ? ContactFile.addressBook : nil
    }

    /// A short look suffices: a card begins at the top, or below a comment.
    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        if classify(file) == ContactFile.addressBook {
            return head.starts(with: KeptFiles.signature) ? nil : "it is not an SQLite database"
        }
        let begins = head.indices.contains { head[$0...].prefix(11).equalsIgnoringCase("BEGIN:VCARD") }
        return begins ? nil : "no line in its first 64 KiB begins a vCard"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            ContactsTable(part: .contacts, context: context),
            ContactsTable(part: .phoneNumbers, context: context),
            ContactsTable(part: .emailAddresses, context: context),
            ContactsTable(part: .postalAddresses, context: context),
            ContactsTable(part: .groups(.groups), context: context),
            ContactsTable(part: .groups(.groupMembers), context: context),
            ContactsTable(part: .groups(.containers), context: context),
            ContactsTable(part: .groups(.containerMembers), context: context),
        ]
    }
}
