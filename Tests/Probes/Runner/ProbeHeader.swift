import EscrowSandbox

/// The first comment of a probe. What is not understood is an error: a typing mistake must not weaken a
/// probe.
struct ProbeHeader: Sendable {
    /// Where a probe runs.
    enum Profile: String, Sendable {
        case strict
        case runtime
        /// Not in a sandbox of its own, but through the whole host.
        case host
    }

    /// Something of the machine's that a probe is told.
    enum Argument: String, Sendable {
        /// The path of a file of the person's.
        case canary
        /// The host's process number.
        case host
        /// The number of the device that the machine's libraries are on.
        case device
    }

    /// What it tries, in words.
    private(set) var deed = ""
    /// Where it runs inside.
    private(set) var profile: Profile = .strict
    /// How it must end there.
    private(set) var expected: End
    /// How the control run outside must end.
    private(set) var control: End
    /// What the control run needs.
    private(set) var needs: [Need] = []
    /// What it is told on its command line, in both runs.
    private(set) var argument: Argument?
    /// The limits of the run inside.
    private(set) var limits = SandboxLimits(wallSeconds: 60)
    /// How many bytes the host writes to its stdin, in both runs; nil for an input that is closed at once.
    private(set) var input: Int?
    /// What else a probe of the whole host says, for its driver to understand.
    private(set) var more: [(key: String, value: String)] = []

    /// Reads the lines that begin with `comment`, up to the first that does not.
    init(_ text: String, comment: String, in file: String) throws(ProbeFailure) {
        var expected: End?
        var control: End?
        var sawKey = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index == 0, line.hasPrefix("#!") { continue }
            guard line.hasPrefix(comment) else { break }
            let content = Self.trim(line.dropFirst(comment.count))
            let place = "\(file):\(index + 1)"
            guard let (key, value) = Self.entry(content) else {
                guard !sawKey else {
                    throw ProbeFailure("\(place): words belong above the first `key:` line")
                }
                deed += (deed.isEmpty ? "" : " ") + content
                continue
            }
            sawKey = true
            do {
                if let profile = Profile(rawValue: key) {
                    guard expected == nil else { throw ProbeFailure("a second expected end") }
                    self.profile = profile
                    expected = try End(parsing: value)
                    continue
                }
                switch key {
                case "control": control = try End(parsing: value)
                case "needs": needs.append(try Need(parsing: value))
                case "argument":
                    guard let known = Argument(rawValue: value) else {
                        throw ProbeFailure("argument: canary, host, or device")
                    }
                    argument = known
                case "limits": limits = try Self.limits(value)
                case "input":
                    guard let bytes = Int(value), bytes >= 0 else {
                        throw ProbeFailure("input: not a number")
                    }
                    input = bytes
                case _ where profile == .host: more.append((key, value))
                default: throw ProbeFailure("there is no key `\(key)`")
                }
            } catch { throw ProbeFailure("\(place): \(error)") }
        }
        guard !deed.isEmpty else { throw ProbeFailure("\(file): its first line must say what it tries") }
        guard let expected else { throw ProbeFailure("\(file): it says nowhere how it must end") }
        self.expected = expected
        self.control = control ?? End(text: profile == .host ? "prints {\"n\":1}" : "prints DID IT")
    }

    /// `key: value`, where the key is one lower-case word.
    private static func entry(_ content: String) -> (String, String)? {
        guard let colon = content.firstIndex(of: ":") else { return nil }
        let key = content[..<colon]
        let rest = content[content.index(after: colon)...]
        guard !key.isEmpty, key.allSatisfy({ ("a"..."z").contains($0) || $0 == "-" }), rest.hasPrefix(" ")
        else {
            return nil
        }
        return (String(key), trim(rest))
    }

    static func trim(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// `wallSeconds 0.5, memoryMiB 64`: the members of `SandboxLimits`.
    private static func limits(_ text: String) throws(ProbeFailure) -> SandboxLimits {
        var limits = SandboxLimits(wallSeconds: 60)
        for part in text.split(separator: ",") {
            let words = trim(part).split(separator: " ")
            guard words.count == 2, let value = Double(words[1]) else {
                throw ProbeFailure("limits: NAME NUMBER, ...")
            }
            switch words[0] {
            case "wallSeconds": limits.wallSeconds = value
            case "cpuSeconds": limits.cpuSeconds = Int(exactly: value) ?? 0
            case "memoryMiB": limits.memoryMiB = Int(exactly: value) ?? 0
            case "outputBytes": limits.outputBytes = Int(exactly: value) ?? 0
            case "logBytes": limits.logBytes = Int(exactly: value) ?? 0
            case "processes": limits.processes = Int(exactly: value) ?? 0
            default: throw ProbeFailure("there is no limit `\(words[0])`")
            }
        }
        return limits
    }
}
