import Glibc

/// The asset handles of one access: a random name for a file, meaningless outside this run.
///
/// Sources offer files while rows are read; the host marks the handles that really went to the plugin, and only
/// those can be opened. Handles are fresh for each run, so they link nothing across runs.
public final class AssetTable {
    /// A file behind a handle.
    public struct Asset: Sendable {
        /// The file's path on this machine.
        public let path: String
        /// Its media type, for example `image/jpeg`.
        public let mediaType: String
    }

    private let prefix: String
    private var assets: [Asset] = []
    private var handles: [String: Int] = [:]
    private var delivered: Set<Int> = []

    /// An empty table with an unguessable prefix.
    public init() {
        var generator = SystemRandomNumberGenerator()
        prefix = "a" + String(generator.next(), radix: 36) + "-"
    }

    /// The handle for a file; the same file has the same handle within one run.
    public func offer(path: String, mediaType: String) -> String {
        if let known = handles[path] { return prefix + String(known) }
        assets.append(Asset(path: path, mediaType: mediaType))
        handles[path] = assets.count - 1
        return prefix + String(assets.count - 1)
    }

    /// Notes that a handle went to the plugin in a row; false if it is none of this table's.
    public func deliver(_ handle: String) -> Bool {
        guard let index = index(of: handle) else { return false }
        delivered.insert(index)
        return true
    }

    /// The file behind a handle that was delivered, else nil.
    public func delivered(_ handle: String) -> Asset? {
        guard let index = index(of: handle), delivered.contains(index) else { return nil }
        return assets[index]
    }

    private func index(of handle: String) -> Int? {
        guard handle.hasPrefix(prefix), let index = Int(handle.dropFirst(prefix.count)),
            assets.indices.contains(index), prefix + String(index) == handle
        else { return nil }
        return index
    }
}
