import Glibc

/// What to do with a call that opens a path. The kernel's filter cannot read a path, so the supervisor reads it from the plugin's
/// memory.
///
/// Another thread may change the string before the kernel reads it, and wins nothing: `strict` never runs the call, and what
/// `runtime` runs meets the mount namespace and Landlock. The policy tells a runtime that looks around from a plugin that
/// reaches for a file; it is not the wall.
struct PathPolicy: Sendable {
    enum Answer: Sendable, Equatable {
        /// The kernel runs the call; the other walls hold. Never in strict.
        case run
        /// Answered with an errno without being run.
        case refuse(Int32)
        case violation
    }

    /// What could be read of the path.
    enum Path: Sendable, Equatable {
        case text(String)
        /// The address is not the plugin's.
        case badAddress
        case tooLong
        /// The host may not read the plugin's memory.
        case unreadable
    }

    private let roots: [String]?
    private var refused = 0

    /// Refusals per run; a plugin that goes on is guessing. The static runtimes measured make at most 15.
    static let mostRefused = 64
    /// Bytes of a path, its end included; PATH_MAX.
    static let longest = 4096

    /// Beneath these nothing outside the run's own root can be reached; interpreters look there for themselves.
    private static let commonRoots = [
        "/plugin", "/proc", "/dev", "/sys", "/usr", "/lib", "/lib64", "/etc/ld.so.cache",
        "/etc/ld.so.preload", "/etc/localtime",
    ]

    /// What static runtimes were seen to open, with strace, in an empty root; all have another way. glibc: locale,
    /// time zone, processors, stack bounds of the main thread, character sets. Swift: its backtracer; Foundation: random bytes.
    private static let probes: Set<String> = [
        "/proc/self/maps", "/proc/stat", "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible",
        "/usr/share/locale/locale.alias", "/dev/urandom",
    ]
    private static let probedTrees = [
        "/usr/lib/locale", "/usr/share/zoneinfo", "/usr/lib/\(RootPlan.multiarch)/gconv",
    ]

    /// The policy of a profile; `trees` is what runtime binds.
    init(_ profile: SandboxProfile, trees: [String] = []) {
        roots = profile == .strict ? nil : Self.commonRoots + trees
    }

    /// Decides on an open of `path`, relative to a descriptor of the plugin's or to its working directory, "/".
    mutating func decide(_ path: Path, flags: UInt64, fromDescriptor: Bool) -> Answer {
        if flags & FilterRules.writingOpen != 0 { return .violation }
        let answer = roots.map { decideRuntime(path, $0, fromDescriptor) } ?? decideStrict(path)
        guard case .refuse = answer else { return answer }
        refused += 1
        return refused > Self.mostRefused ? .violation : answer
    }

    private func decideStrict(_ path: Path) -> Answer {
        switch path {
        case .unreadable: return .refuse(ENOENT)
        case .badAddress: return .refuse(EFAULT)
        case .tooLong: return .violation
        case .text(let text):
            let isProbe = Self.probes.contains(text) || Self.isBeneath(text, Self.probedTrees)
            return isProbe && Self.resolve(text) == text ? .refuse(ENOENT) : .violation
        }
    }

    private func decideRuntime(_ path: Path, _ roots: [String], _ fromDescriptor: Bool) -> Answer {
        switch path {
        case .unreadable: return .run
        case .badAddress: return .refuse(EFAULT)
        case .tooLong: return .violation
        case .text(let text):
            if text.isEmpty { return .refuse(ENOENT) }
            if fromDescriptor, !text.hasPrefix("/") {
                // A descriptor is of an allowed tree, since "/" is never opened; only ".." leads out of it.
                return text.split(separator: "/").contains("..") ? .violation : .run
            }
            // Python looks for the source of code that has none, to print a traceback.
            if text.hasPrefix("<"), text.hasSuffix(">"), !text.contains("/") { return .refuse(ENOENT) }
            let resolved = Self.resolve(text)
            // jq's own library of definitions, in HOME.
            if resolved == "/.jq" { return .refuse(ENOENT) }
            // An empty entry of a module path lists it.
            if resolved == "/" { return .refuse(EACCES) }
            // There is no procfs; where one is, it leads back to "/" by these two, and no runtime asks for them.
            if Self.isBeneath(resolved, ["/proc"]),
                resolved.split(separator: "/").contains(where: { $0 == "root" || $0 == "cwd" })
            {
                return .violation
            }
            return Self.isBeneath(resolved, roots) ? .run : .violation
        }
    }

    private static func isBeneath(_ path: String, _ trees: [String]) -> Bool {
        trees.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The path from "/" without ".", ".." and repeated slashes. Links are not followed.
    static func resolve(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
