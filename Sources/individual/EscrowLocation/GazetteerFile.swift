public import EscrowDiagnostics
import EscrowFiles
public import EscrowLocationPrivacy
import Glibc
import Synchronization

/// Where people live, beside an installed escrow or in the checkout that it was built in.
public enum GazetteerFile {
    private static let limit = 64 << 20

    /// The one that was read last. To read and check all of it takes a millisecond, and a process that serves or follows asks for it
    /// at each request.
    private static let known = Mutex<(path: String, stamp: FileStamp, gazetteer: Gazetteer)?>(nil)

    /// Reads all of it, unless the file is still the one that was read last: E1183 where it is missing or damaged.
    public static func load() throws(Diagnostic) -> Gazetteer {
        for path in candidates() {
            let stamp = FileStamp(path: path)
            if let known = known.withLock({ $0 }), known.path == path, known.stamp == stamp {
                return known.gazetteer
            }
            guard let bytes = try SecureFile.readIfPresent(path, limit: limit) else { continue }
            do {
                let gazetteer = try Gazetteer(bytes)
                if let stamp { known.withLock { $0 = (path, stamp, gazetteer) } }
                return gazetteer
            } catch {
                throw Diagnostic(
                    .gazetteerUnfit, "\(path) is no gazetteer: \(error.why)",
                    help: "install escrow anew")
            }
        }
        throw Diagnostic(
            .gazetteerUnfit, "the list of places where people live is not beside this escrow",
            notes: ["without it no place can be masked, so none is told"], help: "install escrow anew")
    }

    /// PREFIX/lib/escrow beside PREFIX/bin, then the folders of a checkout.
    private static func candidates() -> [String] {
        guard let program = realpath("/proc/self/exe", nil) else { return [] }
        defer { free(program) }
        var folder = SecureFile.parent(of: String(cString: program))
        var paths = [SecureFile.parent(of: folder) + "/lib/escrow/places.gazetteer"]
        while folder != "/" {
            paths.append(folder + "/Sources/access/EscrowLocationPrivacy/Data/places.gazetteer")
            folder = SecureFile.parent(of: folder)
        }
        return paths
    }
}
