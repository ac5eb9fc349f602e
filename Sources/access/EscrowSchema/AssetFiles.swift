/// Opens files that a source listed, each only while it is still the one that was listed.
public protocol AssetFiles: AnyObject, Sendable {
    /// A descriptor for the caller to own, or a negative number.
    func open(_ path: String, _ place: AssetPlace) -> Int32
}

/// Where a listed file lies, and what is known of its state.
public struct AssetPlace: Sendable {
    /// The number of its folder among those of the source; negative where the source is the file itself.
    public let folder: Int32
    /// Its i-node, its size and its time of last change in microseconds; nil where only its name was looked at.
    public let state: State?

    public struct State: Sendable {
        public let inode: UInt64
        public let size: Int64
        public let modified: Int64
        public init(inode: UInt64, size: Int64, modified: Int64) {
            self.inode = inode
            self.size = size
            self.modified = modified
        }
    }

    public init(folder: Int32, state: State?) {
        self.folder = folder
        self.state = state
    }
}
