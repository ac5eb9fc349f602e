/// One misdeed: a source file whose first comment says what it tries and how that must end.
struct Probe: Sendable {
    /// The folder it lies in: what kind of wall it tries.
    let family: String
    /// The file's name without its suffix.
    let name: String
    /// The file.
    let path: String
    /// The suffix, which is the language: `c`, `swift`, `py`, `awk`, `sh`.
    let language: String
    /// What its first comment says.
    let header: ProbeHeader

    /// `network/tcp`
    var title: String { "\(family)/\(name)" }

    /// Reads a probe. Throws a sentence with the place when its first comment is not as it must be.
    init(family: String, file: String, in folder: String) throws(ProbeFailure) {
        let parts = file.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ProbeFailure("\(family)/\(file): a probe needs a suffix") }
        self.family = family
        name = parts[0]
        language = parts[1]
        path = "\(folder)/\(file)"
        let title = "\(family)/\(file)"
        header = try ProbeHeader(try Files.text(path), comment: Self.comment(of: parts[1]), in: title)
        guard let own = Self.profile(of: parts[1]) else { return }
        guard header.profile == own || header.profile == .host else {
            throw ProbeFailure("\(title): a .\(parts[1]) probe says `\(own.rawValue):`, how it ends there")
        }
    }

    private static func comment(of language: String) -> String {
        language == "c" || language == "swift" ? "//" : "#"
    }

    private static func profile(of language: String) -> ProbeHeader.Profile? {
        switch language {
        case "c", "swift": .strict
        case "py", "awk", "sh": .runtime
        default: nil
        }
    }
}

/// Why a probe could not be read or run, in one sentence.
struct ProbeFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
