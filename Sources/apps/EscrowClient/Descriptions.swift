/// The dataflow that a run would be, as far as an app is told.
public struct DataflowExplanation: Decodable, Sendable {
    /// Who asks.
    public let app: String
    /// The plugin's id.
    public let plugin: String
    /// Its version.
    public let version: String
    /// Who publishes it, as they say themselves.
    public let publisher: String
    /// What it computes for.
    public let purpose: Purpose
    /// What comes back, in a sentence.
    public let returns: String
    /// What is sent to the network, a sentence each; empty for nothing.
    public let sends: [String]
    /// How much its answers can carry, in a sentence.
    public let capacity: String

    /// What a plugin computes for.
    public struct Purpose: Decodable, Sendable {
        /// A code of a closed list.
        public let code: String
        /// The publisher's words.
        public let text: String
    }
}

/// A table that queries may name.
public struct TableDescription: Decodable, Sendable {
    /// Its name.
    public let name: String
    /// What it holds, in a sentence.
    public let summary: String
    /// Its columns, in order.
    public let columns: [Column]

    /// A column of a table.
    public struct Column: Decodable, Sendable {
        /// Its name.
        public let name: String
        /// `integer`, `real`, `text`, `blob`, `boolean`, `timestamp` or `asset`.
        public let type: String
        /// Whether a cell may be empty.
        public let nullable: Bool
        /// What it holds, in a sentence.
        public let summary: String
    }
}

/// A plugin that is installed.
public struct PluginDescription: Decodable, Sendable {
    /// Its id.
    public let id: String
    /// Its short name.
    public let name: String
    /// Its version.
    public let version: String
}
