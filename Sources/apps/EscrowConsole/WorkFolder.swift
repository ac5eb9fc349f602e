package import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A folder for one command's work, removed when it is done.
package struct WorkFolder: ~Copyable {
    package let path: String

    private init(_ path: String) { self.path = path }

    package static func make() throws(Diagnostic) -> WorkFolder {
        var template = Array("/tmp/escrow-XXXXXX".utf8CString)
        if let folder = getenv("TMPDIR"), folder[0] != 0 {
            template = Array((String(cString: folder) + "/escrow-XXXXXX").utf8CString)
        }
        guard let made = mkdtemp(&template) else {
            throw .file("a temporary folder", "cannot be made", errno)
        }
        return WorkFolder(String(cString: made))
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in (try? Folder.names(path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
