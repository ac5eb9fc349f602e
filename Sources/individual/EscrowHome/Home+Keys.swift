public import EscrowDiagnostics
import EscrowFiles
public import EscrowTrust
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
                .keyName, "a key's name is made of letters, digits, '-', '_' and '.'",
                help: "for example: escrow key new work")
        }
        return keysPath + "/" + name + ".key"
    }

    /// A signing key by its name; throws E1012 with the names that there are.
    public func signingKey(_ name: String) throws(Diagnostic) -> SigningKey {
        let path = try keyPath(name)
        let names = try keyNames()
        guard names.contains(name) else {
            throw Diagnostic(
                .noSuchThing, "there is no signing key called \(name)",
                notes: names.isEmpty ? [] : ["there is: \(names.joined(separator: ", "))"],
                help: "make it: escrow key new\(name == "default" ? "" : " " + name)")
        }
        return try SigningKey.load(path)
    }

    /// The names of the signing keys, sorted.
    public func keyNames() throws(Diagnostic) -> [String] {
        try Folder.names(keysPath).filter { $0.hasSuffix(".key") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(4)) }.sorted()
    }
}
