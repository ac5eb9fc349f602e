internal import EscrowDiagnostics
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc

extension Diagnostic {
    static func incompleteListing(_ kind: SourceKind) -> Diagnostic {
        Diagnostic(
            .tooManyFiles, "the \(kind.rawValue) sources hold more files than are listed",
            notes: ["\(FileListing.fileLimit) files are read, the others are left out of every answer"],
            help: "add the folders that matter, and take the large one away: escrow source remove",
            severity: .warning)
    }

    static func unknownKind(_ word: String) -> Diagnostic {
        let kinds = SourceKind.allCases.map(\.rawValue)
        return Diagnostic(
            .unknownKind, "there is no kind of source named '\(word)'",
            notes: ["the kinds are " + kinds.joined(separator: ", ")],
            help: (Nearest.name(to: word, among: kinds).map { "did you mean \($0)? " } ?? "")
                + "`escrow source kinds` says what each is read from")
    }

    static func sourceNotFound(_ path: String, errno code: Int32) -> Diagnostic {
        Diagnostic(
            .pathNotOpened, "cannot open '\(path)': " + String(cString: strerror(code)).lowercasedFirst,
            help: "give the path of a file or folder that you can read")
    }

    static func notOfKind(_ kind: SourceKind, _ path: String, _ expected: String) -> Diagnostic {
        Diagnostic(
            .pathUnlikeKind, "'\(path)' does not look like a \(kind.rawValue) source", notes: [expected])
    }

    static func overlaps(_ kind: SourceKind, _ path: String, _ other: String) -> Diagnostic {
        Diagnostic(
            .sourcesOverlap, "'\(path)' overlaps the \(kind.rawValue) source '\(other)'",
            notes: ["every file would be served twice"],
            help: "remove the other first: `escrow source remove \(kind.rawValue) \(other)`")
    }

    static func noSuchSource(_ kind: SourceKind, _ path: String) -> Diagnostic {
        Diagnostic(
            .noSuchSource, "'\(path)' is not among the \(kind.rawValue) sources",
            help: "`escrow source list` shows them")
    }
}
