internal import EscrowSchema

extension SourceKind {
    /// vCards: a file, or a folder of files `.vcf` and `.vcard`.
    static let contacts = SourceKind(word: "contacts")
}

/// Contacts in vCard files.
struct ContactsAdapter: SourceAdapter {
    let kind = SourceKind.contacts
    let accepts = "a vCard file, or a folder of .vcf and .vcard files"
    let nothingFound = "no file .vcf or .vcard"
    let typicalRows = 1_000
    let specs = [
        ContactsSpec.contacts, ContactsSpec.phoneNumbers, ContactsSpec.emailAddresses,
        ContactsSpec.postalAddresses,
    ]

    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || ["vcf", "vcard"].contains(file.ending) ? 0 : nil
    }

    /// A short look suffices: a card begins at the top, or below a comment.
    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        let begins = head.indices.contains { head[$0...].prefix(11).equalsIgnoringCase("BEGIN:VCARD") }
        return begins ? nil : "no line in its first 64 KiB begins a vCard"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            ContactsTable(part: .contacts, context: context),
            ContactsTable(part: .phoneNumbers, context: context),
            ContactsTable(part: .emailAddresses, context: context),
            ContactsTable(part: .postalAddresses, context: context),
        ]
    }
}
