public import EscrowDiagnostics
import Glibc

/// What stands in a folder.
public enum Folder {
    /// All names but `.` and `..`, sorted. Throws where there is no such folder, or it cannot be read to its end.
    public static func names(_ path: String) throws(Diagnostic) -> [String] {
        guard let names = try namesIfPresent(path) else { throw .file(path, "cannot be listed", ENOENT) }
        return names
    }

    /// The same; nil where there is no such folder.
    public static func namesIfPresent(_ path: String) throws(Diagnostic) -> [String]? {
        guard let stream = opendir(path) else {
            guard errno == ENOENT else { throw .file(path, "cannot be listed", errno) }
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // The end and a failure look alike but for errno: half a folder must not be taken for the whole.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = name(of: entry)
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .file(path, "cannot be listed", errno) }
        return names.sorted()
    }

    /// An entry is as long as its name: only what the kernel wrote is looked at.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        return String(cString: start)
    }
}
