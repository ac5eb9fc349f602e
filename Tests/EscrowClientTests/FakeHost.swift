import Glibc

/// A scripted host in Python: what it prints and reads is the protocol, written by hand.
final class FakeHost: Sendable {
    let folder: String
    /// The program to start.
    var program: String { folder + "/host" }

    /// Writes the script; nil, with a word, where there is no Python.
    init?(_ script: String) {
        guard access("/usr/bin/python3", X_OK) == 0 else {
            print("SKIP: no /usr/bin/python3 for a scripted host")
            return nil
        }
        var template = Array("/tmp/escrow-client-XXXXXX\0".utf8CString.dropLast())
        guard mkdtemp(&template) != nil else { return nil }
        folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        guard symlink(tests + "/Support/scripted_host.py", folder + "/host") == 0,
            let file = fopen(folder + "/script", "w")
        else { return nil }
        fputs(script, file)
        fclose(file)
    }

    /// What the script noted under a name.
    func noted(_ name: String) -> String? {
        guard let file = fopen(folder + "/" + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    deinit {
        for name in ["host", "note", "script"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
