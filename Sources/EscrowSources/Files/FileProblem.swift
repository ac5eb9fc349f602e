internal import Glibc

/// Why a file, or a part of it, was not served. It never holds a value from the file: line numbers and lengths only.
struct FileProblem: Sendable, Hashable {
    /// One sentence for the owner.
    let reason: String
    /// The line in the file, counted from 1, if known.
    let line: Int?
    /// Whether the file was served nevertheless, with a part left out.
    let isPartial: Bool

    init(_ reason: String, line: Int? = nil, partial: Bool = false) {
        self.reason = reason
        self.line = line
        isPartial = partial
    }

    /// The reason with its line.
    var sentence: String { line.map { "line \($0): \(reason)" } ?? reason }

    static let notThisKind = FileProblem("not a file of this kind")
    static let symbolicLink = FileProblem("a symbolic link, which is not followed")
    static let notRegular = FileProblem("not a regular file")
    static let tooDeep = FileProblem("more than \(FileListing.depthLimit) folders deep")
    static let tooManyFiles = FileProblem(
        "more than \(FileListing.fileLimit) files in the sources of this kind")
    static let nameNotUTF8 = FileProblem("an entry whose name is not UTF-8", partial: true)
    static let changed = FileProblem("changed while it was read; the next query sees it as it is then")

    static func unreadable(errno code: Int32) -> FileProblem {
        FileProblem("cannot be read: " + String(cString: strerror(code)).lowercasedFirst)
    }
}

extension String {
    /// The text with its first letter in lower case, as within a sentence.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
