import Glibc
import NIOSSL
import Synchronization

/// The certificate authorities of the system, parsed once for all runs of a process: that takes longer than a connection.
/// They are the same for everybody and hold nothing of any run. What a run makes of them, connections and sessions of TLS,
/// is its own.
enum SystemRoots {
    /// Where distributions keep them in one file: Debian and its kin, Arch and Alpine; Fedora and its kin.
    private static let paths = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    /// Which file it was, and when it last changed: an authority that is taken away is gone for the next run.
    private struct Stamp: Equatable {
        let path: String
        let numbers: [Int]

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            self.path = path
            numbers = [
                Int(status.st_dev), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }

    private static let parsed = Mutex<(stamp: Stamp, roots: [NIOSSLCertificate])?>(nil)

    /// The system's authorities as they are now; `default`, which looks elsewhere as well, where no such file is.
    static func current() -> NIOSSLTrustRoots {
        // Looked at before it is read: a change in between shows next time.
        guard let stamp = paths.lazy.compactMap(Stamp.init).first else { return .default }
        return parsed.withLock { parsed in
            if let parsed, parsed.stamp == stamp { return .certificates(parsed.roots) }
            guard let roots = try? NIOSSLCertificate.fromPEMFile(stamp.path), !roots.isEmpty else {
                return .default
            }
            parsed = (stamp, roots)
            return .certificates(roots)
        }
    }
}
