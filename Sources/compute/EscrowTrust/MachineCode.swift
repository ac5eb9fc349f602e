internal import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest

/// Files of machine code, which have no place beside a script.
///
/// People read what is packed as a script, and cannot read an ELF file named `.py`. Only whole files of machine code are found;
/// instructions hidden in a text never run, as no written memory becomes executable in the sandbox.
enum MachineCode {
    /// What a file is, by its beginning; nil for what is no machine code.
    static func kind(of beginning: [UInt8]) -> String? {
        switch Array(beginning.prefix(4)) {
        case [0x7F, 0x45, 0x4C, 0x46]: return "an ELF file"
        case [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
            [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE]:
            return "a Mach-O file"
        default: break
        }
        if beginning.starts(with: "!<arch>\n".utf8) { return "a static library" }
        // Texts may begin with MZ: the second header must be there, too.
        if beginning.starts(with: "MZ".utf8), beginning.count >= 64 {
            let header = (0..<4).reduce(0) { $0 | Int(beginning[60 + $1]) << (8 * $1) }
            if beginning.dropFirst(header).starts(with: [0x50, 0x45, 0, 0]) { return "a Windows program" }
        }
        return nil
    }

    /// How much of a file is looked at.
    static let beginning = 4_096

    /// Throws for a file of machine code beside a script, or in its place.
    static func refuse(_ path: String, _ beginning: [UInt8]) throws(Diagnostic) {
        guard let kind = kind(of: beginning) else { return }
        throw Diagnostic(
            .machineCodeInScript, "\(path) is machine code, \(kind), and the plugin is a script",
            help:
                "take it out; machine code is a plugin of its own, a static executable under the profile strict"
        )
    }

    /// The same for a sealed copy.
    static func refuse(_ path: String, _ file: borrowing SealedCopy) throws(Diagnostic) {
        try refuse(path, file.read(upTo: beginning))
    }
}

extension Artifact {
    /// Whether a file of the package is seen by this script: the script itself, or one beside it.
    func isSeen(_ other: String) -> Bool {
        interpreter != nil && (other == path || SecureFile.parent(of: other) == SecureFile.parent(of: path))
    }

    /// What a file of the package is called beside this script; nil for one that it does not see. Under the profile `native` it sees
    /// those of the folders below its own, too: a wheel is a tree.
    public func companionName(_ other: String, _ profile: SandboxProfile) -> String? {
        guard interpreter != nil, other != path else { return nil }
        let folder = SecureFile.parent(of: path)
        if profile == .native {
            guard folder != "." else { return other }
            return other.hasPrefix(folder + "/") ? String(other.dropFirst(folder.utf8.count + 1)) : nil
        }
        guard SecureFile.parent(of: other) == folder else { return nil }
        return other.split(separator: "/").last.map(String.init)
    }
}
