import EscrowDiagnostics

/// `wheels.lock`: wheels of Python, each in one version and with its digests.
///
///     pillow==13.0.0 \
///         --hash=sha256:a625df9a…
///
/// pip's own language is larger: an option in such a file overrides those of the command, and a source of it runs as it is
/// built. So it is read by these rules, and pip is handed what was read.
struct WheelLock {
    /// A line for each wheel, as pip reads it.
    let requirements: [String]

    /// Reads the file. E0282 names the first line that is more than a wheel, its version and its digests.
    init(parsing bytes: [UInt8], file: String) throws(Diagnostic) {
        var requirements: [String] = []
        var words: [Substring] = []
        var first = 0
        for (index, bytes) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = String(decoding: bytes, as: UTF8.self)
            if words.isEmpty, line.drop(while: { $0 == " " }).first == "#" { continue }
            if words.isEmpty { first = index + 1 }
            words += line.split(separator: " ")
            if words.last == "\\" {
                words.removeLast()
                continue
            }
            guard !words.isEmpty else { continue }
            guard Self.isWheel(words) else { throw Self.refusal(file, line: first) }
            requirements.append(words.joined(separator: " "))
            words = []
        }
        guard words.isEmpty, !requirements.isEmpty else { throw Self.refusal(file, line: nil) }
        self.requirements = requirements
    }

    private static func isWheel(_ words: [Substring]) -> Bool {
        let parts = words[0].utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, isName(parts[0]), isName(parts[2]) else { return false }
        return words.count > 1
            && words.dropFirst().allSatisfy { word in
                word.hasPrefix("--hash=sha256:") && word.utf8.count == 78
                    && word.utf8.suffix(64).allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
            }
    }

    /// Letters, digits and what stands in names and versions; a letter or digit first, so that it is no option.
    private static func isName(_ text: Substring.UTF8View.SubSequence) -> Bool {
        guard let first = text.first, isLetter(first) || isDigit(first) else { return false }
        return text.allSatisfy { isLetter($0) || isDigit($0) || "._-+!".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func refusal(_ file: String, line: Int?) -> Diagnostic {
        Diagnostic(
            .pluginFolderIncomplete, "wheels.lock is no list of wheels with their digests",
            at: .init(file: file, line: line),
            notes: [
                "it holds NAME==VERSION --hash=sha256:…, without options of pip's, addresses, extras, markers and Windows line ends"
            ],
            help: "write it with: uv pip compile --generate-hashes requirements.in -o wheels.lock")
    }
}
