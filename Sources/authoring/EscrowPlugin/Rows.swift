public import EscrowTabular

/// The rows of a run: walk them with `for row in run.rows`.
public struct Rows: Sequence {
    private let connection: HostConnection
    init(_ connection: HostConnection) { self.connection = connection }

    public func makeIterator() -> Iterator { Iterator(connection) }

    /// Walks the rows, batch by batch.
    public struct Iterator: IteratorProtocol {
        private let connection: HostConnection
        private var batch: Batch?
        private var index = 0
        init(_ connection: HostConnection) { self.connection = connection }

        /// The next row; nil after the last.
        public mutating func next() -> Row? {
            while true {
                if let batch, index < batch.rowCount {
                    index += 1
                    return Row(batch: batch, index: index - 1)
                }
                batch = connection.nextBatch()
                index = 0
                if batch == nil { return nil }
            }
        }
    }
}

/// The rows of a run in batches: walk them with `for batch in run.batches`.
public struct Batches: Sequence {
    private let connection: HostConnection
    init(_ connection: HostConnection) { self.connection = connection }

    public func makeIterator() -> Iterator { Iterator(connection) }

    /// Walks the batches.
    public struct Iterator: IteratorProtocol {
        private let connection: HostConnection
        init(_ connection: HostConnection) { self.connection = connection }
        /// The next batch; nil after the last.
        public mutating func next() -> Batch? { connection.nextBatch() }
    }
}

/// One row. Columns go by their names; every accessor throws if there is no such column, if it holds another type, or
/// if the value is null, which ``isNull(_:)`` asks first.
public struct Row {
    private let batch: Batch
    private let index: Int

    init(batch: Batch, index: Int) {
        self.batch = batch
        self.index = index
    }

    /// Whether the row has no value there.
    public func isNull(_ name: String) throws(PluginError) -> Bool {
        batch.isNull(row: index, column: try column(name))
    }

    /// A whole number.
    public func integer(_ name: String) throws(PluginError) -> Int {
        Int(batch.integer(row: index, column: try value(name, .integer)))
    }

    /// A number.
    public func real(_ name: String) throws(PluginError) -> Double {
        batch.real(row: index, column: try value(name, .real))
    }

    /// True or false.
    public func boolean(_ name: String) throws(PluginError) -> Bool {
        batch.integer(row: index, column: try value(name, .boolean)) != 0
    }

    /// A text, or an asset's handle.
    public func text(_ name: String) throws(PluginError) -> String {
        batch.text(row: index, column: try value(name, .text, .asset))
    }

    /// Calls `body` with the UTF-8 bytes of a text, without making a string of them. They are valid during the call
    /// only.
    public func withUTF8<T>(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        try batch.withBytes(row: index, column: try value(name, .text, .asset), body)
    }

    /// Bytes.
    public func bytes(_ name: String) throws(PluginError) -> [UInt8] {
        batch.withBytes(row: index, column: try value(name, .blob)) { Array($0) }
    }

    /// A moment.
    public func timestamp(_ name: String) throws(PluginError) -> Timestamp {
        let column = try value(name, .timestamp)
        guard let moment = batch.timestamp(row: index, column: column) else {
            throw PluginError(.isNull, "the column \"\(name)\" has no value in this row")
        }
        return moment
    }

    private func column(_ name: String) throws(PluginError) -> Int {
        guard let column = batch.schema.column(named: name) else {
            throw PluginError(.noSuchColumn, "the rows have no column \"\(name)\"")
        }
        return column
    }

    private func value(_ name: String, _ types: ColumnType...) throws(PluginError) -> Int {
        let column = try column(name)
        let type = batch.schema.fields[column].type
        guard types.contains(type) else {
            throw PluginError(.wrongType, "the column \"\(name)\" is of type \(type.rawValue)")
        }
        guard !batch.isNull(row: index, column: column) else {
            throw PluginError(.isNull, "the column \"\(name)\" has no value in this row")
        }
        return column
    }
}
