/// What a confined program may use besides its own socket, in the individual's words.
public struct AppProfile: Sendable, Equatable {
    /// A folder that is let through.
    public struct Folder: Sendable, Equatable {
        /// Its absolute path.
        public var path: String
        /// Whether the program may change what is in it.
        public var writes: Bool

        /// Names a folder.
        public init(_ path: String, writes: Bool) {
            self.path = path
            self.writes = writes
        }
    }

    /// The network, as this user has it.
    public var network = false
    /// Windows: the sockets of the display server.
    public var display = false
    /// Sound: what it plays, what the microphone hears, what others play.
    public var sound = false
    /// Folders beside the system's own programs and the app's home.
    public var folders: [Folder] = []

    /// Nothing but the socket.
    public init() {}

    /// One word a thing, for lists.
    public var words: [String] {
        var words: [String] = []
        if network { words.append("network") }
        if display { words.append("display") }
        if sound { words.append("sound") }
        return words + folders.map { $0.writes ? "writes \($0.path)" : "reads \($0.path)" }
    }
}
