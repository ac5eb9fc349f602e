public import EscrowTabular
internal import Glibc
internal import Synchronization

/// The asset handles of one access: a random name for a file, meaningless outside this run.
///
/// Sources offer files while rows are read. Only handles that went to the plugin in a row can be opened. They are fresh for
/// each run, so they link nothing across runs.
///
/// Any thread may use it: rows are read ahead while others are delivered.
public final class AssetTable: Sendable {
    public struct Asset: Sendable {
        public let path: String
        /// Its media type, for example `image/jpeg`.
        public let mediaType: String
        fileprivate let opening: Opening

        /// Opens it: a descriptor for the caller to own, or a negative number.
        public func open() -> Int32 {
            switch opening {
            case .call(let open): open()
            case .listed(let files, let place): files.open(path, place)
            case .none: -1
            }
        }
    }

    fileprivate enum Opening {
        case call(@Sendable () -> Int32)
        case listed(any AssetFiles, AssetPlace)
        case none
    }

    private struct Offered {
        let handle: AssetHandle
        let asset: Asset
        var isDelivered = false
    }

    /// A path with its hash, as a growing table asks for all hashes again. Compared by bytes: equal strings may be
    /// different names.
    private struct Path: Hashable {
        let text: String
        let hash: Int

        init(_ text: String) {
            self.text = text
            var hasher = Hasher()
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hash = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
        static func == (left: Path, right: Path) -> Bool {
            left.hash == right.hash && left.text.utf8.elementsEqual(right.text.utf8)
        }
    }

    private struct State {
        var generator = RandomWords()
        var offered: [Offered] = []
        var byPath: [Path: Int] = [:]
        /// The first of those that are offered, as many as it holds: made when a handle is looked for that is not the next.
        var byHandle: [AssetHandle: Int] = [:]
        /// The place behind the one that was delivered last.
        var next = 0

        /// Where a handle stands. Rows go to the plugin in the order in which the source offered their files, mostly.
        mutating func place(of text: UnsafeRawBufferPointer) -> Int? {
            guard let handle = AssetHandle(text) else { return nil }
            if next < offered.count, offered[next].handle == handle { return next }
            for place in byHandle.count..<offered.count { byHandle[offered[place].handle] = place }
            return byHandle[handle]
        }

        mutating func deliver(_ handle: UnsafeRawBufferPointer) -> Bool {
            guard let place = place(of: handle) else { return false }
            offered[place].isDelivered = true
            next = place + 1
            return true
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// The handle for a file; the same file has the same handle within one run. Handles are random: counted up, they would
    /// tell a plugin how many files it is not served.
    ///
    /// - Parameter opening: opens a file that is a part of another one; its path then only names it.
    public func offer(
        path: String, mediaType: String, opening: (@Sendable () -> Int32)? = nil
    ) -> String {
        offer(path, mediaType, opening.map(Opening.call) ?? .none)
    }

    /// The handle for a file that a source listed, and opens by what it knows of the place rather than by the path alone.
    public func offer(
        path: String, mediaType: String, from files: any AssetFiles, at place: AssetPlace
    ) -> String {
        offer(path, mediaType, .listed(files, place))
    }

    private func offer(_ path: String, _ mediaType: String, _ opening: Opening) -> String {
        let key = Path(path)
        return state.withLock { state in
            if let place = state.byPath[key] { return state.offered[place].handle.text }
            let handle = AssetHandle(state.generator.next(), state.generator.next())
            state.byPath[key] = state.offered.count
            state.offered.append(
                Offered(handle: handle, asset: Asset(path: path, mediaType: mediaType, opening: opening)))
            return handle.text
        }
    }

    /// How many files have a handle.
    package var offeredCount: Int { state.withLock { $0.offered.count } }

    /// Notes that a handle went to the plugin in a row; false if it is none of this table's.
    public func deliver(_ handle: UnsafeRawBufferPointer) -> Bool { state.withLock { $0.deliver(handle) } }

    /// Notes that a handle went to the plugin in a row; false if it is none of this table's.
    public func deliver(_ handle: String) -> Bool {
        var handle = handle
        return handle.withUTF8 { deliver(UnsafeRawBufferPointer($0)) }
    }

    /// Notes that the handles in a column of a batch went to the plugin. Returns the first row whose text is no handle of
    /// this table; that row and those after it are not noted.
    public func deliver(_ batch: Batch, column: Int) -> Int? {
        state.withLock { state in
            (0..<batch.rowCount).first { row in
                !batch.isNull(row: row, column: column)
                    && !batch.withBytes(row: row, column: column) { state.deliver($0) }
            }
        }
    }

    /// The file behind a handle, delivered or not: for the host itself.
    package func offered(_ handle: String) -> Asset? {
        var handle = handle
        return handle.withUTF8 { text in
            state.withLock { state in
                state.place(of: UnsafeRawBufferPointer(text)).map { state.offered[$0].asset }
            }
        }
    }

    /// The file behind a handle that was delivered, else nil.
    public func delivered(_ handle: String) -> Asset? {
        var handle = handle
        return handle.withUTF8 { text in
            state.withLock { state in
                guard let place = state.place(of: UnsafeRawBufferPointer(text)),
                    state.offered[place].isDelivered
                else { return nil }
                return state.offered[place].asset
            }
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
