internal import Glibc

/// Why a file, or a part of it, was not served. It never holds a value from the file: line numbers and lengths only.
package struct FileProblem: Sendable, Hashable {
    /// One sentence for the owner.
    package let reason: String
    /// The line in the file, counted from 1, if known.
    package let line: Int?
    /// Whether the file was served nevertheless, with a part left out.
    package let isPartial: Bool

    package init(_ reason: String, line: Int? = nil, partial: Bool = false) {
        self.reason = reason
        self.line = line
        isPartial = partial
    }

    package var sentence: String { line.map { "line \($0): \(reason)" } ?? reason }

    package static let notThisKind = FileProblem("not a file of this kind")
    static let symbolicLink = FileProblem("a symbolic link, which is not followed")
    package static let notRegular = FileProblem("not a regular file")
    static let nameNotUTF8 = FileProblem("an entry whose name is not UTF-8", partial: true)
    package static let changed = FileProblem(
        "changed while it was read; the next query sees it as it is then")

    package static func unreadable(errno code: Int32) -> FileProblem {
        FileProblem("cannot be read: " + String(cString: strerror(code)).lowercasedFirst)
    }
}

extension String {
    /// The text with its first letter in lower case, as within a sentence.
    package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
