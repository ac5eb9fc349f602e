public import Foundation
import Synchronization

/// A folder of its own for a test, removed with the last one who holds it, or else when the tests end.
public final class TemporaryFolder: Sendable {
    /// Its absolute path.
    public let path: String
    /// The same.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Those that are still there; what is held by a static property lives as long as the process.
    private static let living = Mutex<Set<String>>([])
    private static let removalAtExit: Void = {
        atexit {
            for path in TemporaryFolder.living.withLock({ $0 }) {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }()

    /// Makes an empty folder that its user alone may look into, unless `mode` says otherwise.
    ///
    /// - Parameter name: the word that its name begins with.
    public init(_ name: String, mode: mode_t = 0o700) throws {
        _ = Self.removalAtExit
        var template = Array("/tmp/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, chmod(template, mode) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.path = path
        _ = Self.living.withLock { $0.insert(path) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        _ = Self.living.withLock { $0.remove(path) }
    }
}
