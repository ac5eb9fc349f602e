import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A program of this machine that may run scripts. The list is closed: a manifest names one by a word, never a path.
struct Interpreter: Sendable {
    let word: String
    /// The real path of the host's program.
    let path: String
    /// The real path of its dynamic loader; nil for a static program.
    let loader: String?
    /// The loader as the program names it.
    let loaderName: String?
    /// What stands before the script's path.
    let options: [String]
    let trees: [String]

    private struct Known {
        let path: String
        let options: [String]
    }
    // -I: nothing from the environment, the user or the script's directory; -S: no site packages; -B: no bytecode
    // files. The scripts of the others are read with -f, so that no argument is taken for a program.
    private static let known: [String: Known] = [
        "python3": Known(path: "/usr/bin/python3", options: ["-I", "-S", "-B"]),
        "jq": Known(path: "/usr/bin/jq", options: ["-n", "-c", "-f"]),
        "awk": Known(path: "/usr/bin/awk", options: ["-f"]),
        "sh": Known(path: "/bin/sh", options: []),
    ]

    static var words: [String] { known.keys.sorted() }

    /// Finds the interpreter on this machine. Throws for a word that is not on the list, and for a program that is missing or
    /// that others than root could have changed.
    init(word: String) throws(Diagnostic) {
        guard let known = Self.known[word] else {
            throw Diagnostic(
                .unknownInterpreter, "there is no interpreter of that name",
                help: "name one of: \(Self.words.joined(separator: ", "))")
        }
        guard let path = Self.realPath(known.path) else {
            throw Diagnostic(
                .interpreterUnusable,
                "the interpreter \(word) is not on this machine: \(known.path) does not exist",
                help: "install it from your distribution")
        }
        try Self.checkOwner(of: path, word)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Diagnostic(
                .interpreterUnusable, "the interpreter \(word) cannot be read: \(errnoSentence(errno))")
        }
        let file = Descriptor(owning: descriptor)
        let executable: Executable
        do { executable = try Executable(descriptor: file.raw) } catch {
            throw Diagnostic(
                .interpreterUnusable, "the interpreter \(word) is not a program of this machine: \(path)",
                help: "install the distribution's own; a wrapper script cannot be used")
        }
        loaderName = executable.loader
        let loader = executable.loader.flatMap(Self.realPath)
        if let loader { try Self.checkOwner(of: loader, word) }
        self.word = word
        self.path = path
        self.loader = loader
        options = known.options
        if word == "python3", let name = path.split(separator: "/").last {
            trees = ["/usr/lib/\(name)", "/usr/lib64/\(name)"]
        } else {
            trees = []
        }
    }

    /// The file and every directory above it belong to root, and nobody else may write there.
    private static func checkOwner(of path: String, _ word: String) throws(Diagnostic) {
        var current = path
        while true {
            var information = stat()
            guard lstat(current, &information) == 0, isTrusted(information) else {
                throw untrusted(current, word)
            }
            guard let slash = current.lastIndex(of: "/"), current != "/" else { return }
            current = slash == current.startIndex ? "/" : String(current[..<slash])
        }
    }

    static func untrusted(_ path: String, _ word: String) -> Diagnostic {
        Diagnostic(
            .interpreterUnusable, "the interpreter \(word) could have been changed by others: \(path)",
            help: "it must belong to root, and be writable by root alone")
    }

    static func isTrusted(_ information: stat) -> Bool {
        guard information.st_mode & 0o022 == 0 else { return false }
        // In a container that does not map root, root's files show the overflow uid; they are nobody's here.
        return information.st_uid == 0
            || (information.st_uid == overflowUser && geteuid() != information.st_uid && !rootIsMapped)
    }

    private static let overflowUser =
        readSmallFile("/proc/sys/kernel/overflowuid").flatMap { UInt32($0.prefix { $0.isNumber }) } ?? 65534
    private static let rootIsMapped =
        IdentityMap(path: "/proc/self/uid_map").ranges.contains { $0.outside == 0 }

    static func realPath(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
