internal import Glibc
internal import Synchronization

/// The asset handles of one access: a random name for a file, meaningless outside this run.
///
/// Sources offer files while rows are read; the host marks the handles that really went to the plugin, and only
/// those can be opened. Handles are fresh for each run, so they link nothing across runs.
///
/// Rows are read ahead by a thread of their own while others are delivered, so it is used by any.
public final class AssetTable: Sendable {
    /// A file behind a handle.
    public struct Asset: Sendable {
        /// The file's path on this machine.
        public let path: String
        /// Its media type, for example `image/jpeg`.
        public let mediaType: String
        /// Opens what lies in another file, and has no path that leads to it: a descriptor for the caller to own, or a negative
        /// number.
        public let opening: (@Sendable () -> Int32)?
    }

    private struct State {
        var generator = RandomWords()
        /// By handle; whether it was delivered stands beside it, so that delivering looks it up once.
        var assets: [String: (asset: Asset, isDelivered: Bool)] = [:]
        var handles: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// An empty table.
    public init() {}

    /// The handle for a file; the same file has the same handle within one run. Handles are not counted up: by their
    /// numbers a plugin could tell how many files there are that it is not served.
    ///
    /// - Parameter opening: opens a file that is a part of another one; its path then only names it.
    public func offer(
        path: String, mediaType: String, opening: (@Sendable () -> Int32)? = nil
    ) -> String {
        state.withLock { state in
            if let known = state.handles[path] { return known }
            let handle =
                "a" + String(state.generator.next(), radix: 36) + "-"
                + String(state.generator.next(), radix: 36)
            state.assets[handle] = (Asset(path: path, mediaType: mediaType, opening: opening), false)
            state.handles[path] = handle
            return handle
        }
    }

    /// How many files have a handle.
    package var offeredCount: Int { state.withLock { $0.assets.count } }

    /// Notes that a handle went to the plugin in a row; false if it is none of this table's.
    public func deliver(_ handle: String) -> Bool { deliver(all: CollectionOfOne(handle)) == nil }

    /// Notes that handles went to the plugin in rows; the position of the first that is none of this table's, with those behind
    /// it not noted. Many at once: the thread that reads ahead asks for a handle for each file meanwhile.
    public func deliver(all handles: some Collection<String>) -> Int? {
        state.withLock { state in
            for (position, handle) in handles.enumerated() {
                guard let index = state.assets.index(forKey: handle) else { return position }
                state.assets.values[index].isDelivered = true
            }
            return nil
        }
    }

    /// The file behind a handle that was delivered, else nil.
    public func delivered(_ handle: String) -> Asset? {
        state.withLock { state in
            state.assets[handle].flatMap { $0.isDelivered ? $0.asset : nil }
        }
    }
}

/// Words from the system's generator, some at a time: a call of the system for each word cost more than all else of a handle.
private struct RandomWords {
    /// 256 bytes: getentropy(3) gives no more at once.
    private var words = InlineArray<32, UInt64>(repeating: 0)
    private var left = 0

    mutating func next() -> UInt64 {
        if left == 0 {
            var target = words.mutableSpan
            let status = target.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            var generator = SystemRandomNumberGenerator()
            guard status == 0 else { return generator.next() }
            left = 32
        }
        left -= 1
        let word = words[left]
        // What was handed out is not kept.
        words[left] = 0
        return word
    }
}
