public import EscrowDiagnostics
import EscrowFiles
public import EscrowLocationPrivacy
import Glibc

/// Where people live, beside an installed escrow or in the checkout that it was built in.
public enum GazetteerFile {
    private static let limit = 64 << 20

    /// Reads all of it: E1183 where it is missing or damaged. It is not kept: two milliseconds, and few runs ask for it.
    public static func load() throws(Diagnostic) -> Gazetteer {
        for path in candidates() {
            guard let bytes = try SecureFile.readIfPresent(path, limit: limit) else { continue }
            do { return try Gazetteer(bytes) } catch {
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
