public import EscrowDiagnostics
import EscrowFiles
import Glibc

extension Home {
    /// The file of a signing key by its name: letters, digits, `-`, `_` and `.`, not beginning with a dot.
    public func keyPath(_ name: String) throws(Diagnostic) -> String {
        let isPlain = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || [0x2D, 0x2E, 0x5F].contains($0)
        }
        guard isPlain, !name.isEmpty, name.utf8.count <= 64, !name.hasPrefix(".") else {
            throw Diagnostic(
                "E1013", "a key's name is made of letters, digits, '-', '_' and '.'",
                help: "for example: escrow key new work")
        }
        return keysPath + "/" + name + ".key"
    }

    /// The names of the signing keys, sorted.
    public func keyNames() throws(Diagnostic) -> [String] {
        guard let folder = opendir(keysPath) else { throw .file(keysPath, "cannot be listed", errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".key"), !name.hasPrefix(".") { names.append(String(name.dropLast(4))) }
        }
        return names.sorted()
    }
}
