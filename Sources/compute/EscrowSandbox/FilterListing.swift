import CSeccomp
public import EscrowDiagnostics

/// A profile's filter for people to read: each system call that it knows, what becomes of it, and why.
public struct FilterListing: Sendable {
    public struct Row: Sendable, Equatable {
        public let call: String
        /// Its number on the listing's architecture.
        public let number: Int32
        /// What becomes of it, and for which arguments.
        public let decision: String
        public let reason: String

        var line: String {
            let digits = String(number)
            return call + String(repeating: " ", count: max(24 - call.count - digits.count, 1)) + digits
                + "  \(decision): \(reason)"
        }
    }

    public let profile: SandboxProfile
    /// The processor whose table of calls it is.
    public let architecture: FilterArchitecture
    public let rows: [Row]
    /// The rules that are different where the host itself runs under a seccomp listener, and nobody can be asked.
    public let rowsWithoutListener: [Row]
    /// Calls that the other processor's list has and this one's table lacks, with what takes their place.
    public let absent: [(call: String, instead: String)]
    /// How many BPF instructions libseccomp made of the rules.
    public let instructions: Int
    /// How many it made of those for a host that runs under a listener.
    public let instructionsWithoutListener: Int
    public let compiler: String
    /// Both programs, one instruction a line.
    public let programs: (naming: [String], killing: [String])

    public static let unlisted =
        "any other call, or one through another table (int 0x80, x32): the supervisor names it and ends the run"

    public init(
        _ profile: SandboxProfile, _ architecture: FilterArchitecture = .native
    ) throws(Diagnostic) {
        self.profile = profile
        self.architecture = architecture
        var options = FilterRules.Options()
        options.architecture = architecture
        let rules = Self.rows(profile, options)
        let naming = try FilterProgram.filter(for: profile, options).code
        options.naming = false
        let killing = try FilterProgram.filter(for: profile, options).code
        rows = rules
        rowsWithoutListener = Self.rows(profile, options).filter { row in
            !rules.contains { $0.call == row.call && $0.decision == row.decision }
        }
        absent =
            architecture == .arm64
            ? FilterRules.absentCalls(of: profile).map { ($0, FilterRules.absentOnArm64[$0] ?? "nothing") }
            : []
        instructions = naming.count
        instructionsWithoutListener = killing.count
        programs = (Self.text(naming), Self.text(killing))
        compiler = Self.libseccomp
    }

    static var libseccomp: String {
        guard let version = seccomp_version()?.pointee else { return "libseccomp" }
        return "libseccomp \(version.major).\(version.minor).\(version.micro)"
    }

    private static func rows(_ profile: SandboxProfile, _ options: FilterRules.Options) -> [Row] {
        FilterRules.rules(for: profile, options).map { rule in
            Row(
                call: rule.call, number: options.architecture.number(of: rule.call) ?? -1,
                decision: FilterWords.decision(rule), reason: rule.reason)
        }.sorted { ($0.call, $0.decision) < ($1.call, $1.decision) }
    }

    private static func text(_ code: [FilterInstruction]) -> [String] {
        code.enumerated().map { place, instruction in
            let digits = String(place)
            return String(repeating: " ", count: max(4 - digits.count, 0)) + digits + "  "
                + instruction.text(at: place)
        }
    }

    public var lines: [String] {
        var lines = [
            "the filter of the profile \(profile.rawValue) on \(architecture.rawValue)",
            "\(instructions) instructions by \(compiler), as a binary tree over the calls' numbers",
            Self.unlisted,
            "32-bit arguments are compared in their lower half, since the kernel reads no more of them", "",
        ]
        lines += rows.map(\.line)
        lines += [
            "",
            "where the host itself runs under a seccomp listener, nobody can be asked: any other call kills, unnamed",
            "\(instructionsWithoutListener) instructions by \(compiler); different from the above:", "",
        ]
        lines += rowsWithoutListener.map(\.line)
        if !absent.isEmpty {
            lines += ["", "not on \(architecture.rawValue), on purpose:", ""]
            lines += absent.map { "\($0.call): \($0.instead) takes its place" }
        }
        return lines
    }
}
