internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// Mail: Maildirs and mbox files, or a folder of them.
    static let mail = SourceKind(word: "mail")
}

/// The headers of mail in Maildirs, in mbox files as Thunderbird and others keep them, and in single files.
struct MailAdapter: SourceAdapter {
    enum FileKind {
        /// A file of one mail in `cur` or `new` of a Maildir.
        static let seen: UInt8 = 0
        static let new: UInt8 = 1
        /// A file of one mail elsewhere.
        static let single: UInt8 = 2
        /// A file of many.
        static let mbox: UInt8 = 3
        /// A file without an ending: an mbox as Thunderbird names its folders, or one mail as MH and notmuch keep them. Its
        /// first lines tell.
        static let perhaps: UInt8 = 4
    }

    let kind = SourceKind.mail
    let accepts =
        "a Maildir, an mbox file or Thunderbird's Mail, a zip archive with some, or a folder of them"
    let nothingFound = "no Maildir, no file .mbox or .eml and none without an ending"
    let typicalRows = 10_000
    let archiveEndings: Set = ["zip"]
    let specs = [MailSpec.messages, MailSpec.recipients]
    let indexNames = [MailHeaders.indexName]
    let factsTables = [MailSpec.messages.name]

    /// Maildir++ puts sub-folders into hidden folders; other hidden folders, and all hidden files, are no mail.
    let hiddenFolderMarker: String? = "cur"

    func classify(_ file: FileCandidate) -> UInt8? {
        switch file.ending {
        case "eml" where file.folder != "cur" && file.folder != "new": return FileKind.single
        case "mbox", "mbx": return FileKind.mbox
        default: break
        }
        if file.isRoot { return FileKind.mbox }
        if file.folder == "cur" { return FileKind.seen }
        if file.folder == "new" { return FileKind.new }
        // What a program was about to deliver when it stopped.
        if file.folder == "tmp" { return nil }
        // Flags at the end of a name are a Maildir's, also where the mail was moved out of `cur`.
        let name = Array(file.name.utf8)[...]
        return !name.contains(UInt8(ascii: ".")) || MailFlags.infoStart(name) < name.endIndex
            ? FileKind.perhaps : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        if classify(file) == FileKind.single {
            let line = head.prefix { $0 != 0x0A }
            return MailHeaders.beginsField(line) || MboxReader.isSeparator(line)
                ? nil : "its first line is no header field"
        }
        // Thunderbird makes an empty file for an empty folder.
        let first = head.drop { $0 == 0x0A || $0 == 0x0D }
        return first.isEmpty || MboxReader.isSeparator(first)
            ? nil : "its first line does not begin with 'From '"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [MailTable(part: .messages, context: context), MailTable(part: .recipients, context: context)]
    }
}
