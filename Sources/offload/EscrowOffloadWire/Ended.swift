/// How a plugin's process ended on a server.
public struct Ended: Sendable, Equatable {
    public enum Kind: UInt64, Sendable, CaseIterable {
        case exited = 1
        case signaled = 2
        case violation = 3
        case limit = 4
        case killed = 5
        case setupFailed = 6
        case lost = 7
    }

    public var kind: Kind
    /// An exit code, a signal or an errno.
    public var number = 0
    /// A limit's, a reason's or a step's name.
    public var word = ""
    public var startedMicroseconds = 0
    public var whenMicroseconds = 0
    public var cpuMicroseconds = 0
    public var wallMicroseconds = 0
    public var memoryKiB = 0
    /// stderr. Treat it as if it held the person's data.
    public var log: [UInt8] = []
    /// The call that was not allowed; nil where there is none.
    public var syscall: Call?

    /// A system call by its number in an architecture's table.
    public struct Call: Sendable, Equatable {
        public var number: Int
        public var table: String

        public init(number: Int, table: String) {
            self.number = number
            self.table = table
        }
    }

    public init(_ kind: Kind) { self.kind = kind }

    func write(_ writer: inout ProtobufWriter) {
        writer.number(1, kind.rawValue)
        writer.number(2, UInt64(number))
        writer.text(3, word)
        writer.number(4, UInt64(startedMicroseconds))
        writer.number(5, UInt64(whenMicroseconds))
        writer.number(6, UInt64(cpuMicroseconds))
        writer.number(7, UInt64(wallMicroseconds))
        writer.number(8, UInt64(memoryKiB))
        if !log.isEmpty { writer.data(9, log) }
        writer.number(10, UInt64(syscall?.number ?? 0))
        writer.text(11, syscall?.table ?? "")
    }

    init(_ reader: inout ProtobufReader) throws(OffloadWireError) {
        guard let kind = Kind(rawValue: try reader.number(1)) else {
            throw OffloadWireError("an unknown end")
        }
        self.init(kind)
        number = try reader.count(2, atMost: 1 << 20)
        word = try reader.text(3, atMost: 64)
        startedMicroseconds = try reader.count(4, atMost: 1 << 42)
        whenMicroseconds = try reader.count(5, atMost: 1 << 42)
        cpuMicroseconds = try reader.count(6, atMost: 1 << 42)
        wallMicroseconds = try reader.count(7, atMost: 1 << 42)
        memoryKiB = try reader.count(8, atMost: 1 << 40)
        log = try reader.bytes(9, atMost: 16 << 20)
        let call = try reader.count(10, atMost: 1 << 31)
        let table = try reader.text(11, atMost: 16)
        guard call == 0 || !table.isEmpty else { throw OffloadWireError("a call of no table") }
        if !table.isEmpty { syscall = Call(number: call, table: table) }
    }
}
