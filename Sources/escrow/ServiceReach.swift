import EscrowApps
import Glibc

/// Whether the individual's service runs, and where.
enum ServiceReach {
    /// The socket of the service of a home: the one that `escrow app run` made, where no home is named, else the session's, where
    /// its service serves this home.
    static func socket(home given: String?, at home: String) -> String? {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if given == nil, value("ESCROW_HOME") == nil, let own = value("ESCROW_SOCKET") { return own }
        guard value("XDG_RUNTIME_DIR") != nil, let place = try? ServicePlace(),
            let served = try? place.servedHome(), served == Self.real(home),
            ServicePlace.connectToOurs(place.service) != nil
        else { return nil }
        return place.service
    }

    private static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }
}
