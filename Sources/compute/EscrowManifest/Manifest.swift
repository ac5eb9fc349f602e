public import EscrowMinimisation
public import EscrowTabular

/// What a plugin says about itself: what it may see, what it computes for, what it returns and what it sends.
///
/// The publisher signs the exact bytes of this document; nothing in it is believed before that signature is verified.
/// The rules are those of docs/spec/manifest.md.
public struct Manifest: Sendable, Hashable {
    /// The schema that this reader understands.
    public static let schema = "escrow.plugin/1"
    /// The largest manifest in bytes.
    public static let maximumBytes = 1 << 18

    /// Reverse DNS name, for example `org.example.phone-check`; see ``PluginID``.
    public let id: String
    /// The version that people see.
    public let version: SemanticVersion
    /// Strictly increasing from release to release, from 1; the rollback ratchet compares it.
    public let sequence: Int64
    /// The name that people see.
    public let title: String
    /// What the plugin computes for.
    public let purpose: Purpose
    /// Who publishes it; information only, never used for trust.
    public let publisher: Publisher
    /// SPDX expression; information only.
    public let license: String?
    /// The host versions that it runs on.
    public let host: HostRange
    /// How it talks with the host.
    public let plugin: PluginProtocol
    /// What rows it accepts.
    public let accepts: Accepts
    /// What an app can vary.
    public let parameters: ParameterSchema
    /// The `SELECT` that is used when the app brings none.
    public let defaultAccess: String?
    /// The shape and size of what it returns.
    public let result: ResultSchema
    /// Where it may have the host send something; empty means nowhere.
    public let egress: [EgressEndpoint]
    /// What it may have sent and may be told, as a grant keeps it.
    public let reach: Reach
    /// That the individual picks the rows that it is given; nil where it is given all.
    public let pick: PickRule?
    /// What it may use up.
    public let limits: PluginLimits
    /// Whether it may run on a server, and what one must have.
    public let server: ServerNeeds
    /// The walls around it.
    public let profile: SandboxProfile
    /// One program a platform.
    public let artifacts: [Artifact]
    /// Every other file of the package.
    public let files: [PackagedFile]
    /// Where it was built from; information only.
    public let build: BuildRecord?
    /// From when the signature counts.
    public let issued: Moment
    /// Until when the signature counts.
    public let expires: Moment
    /// Installations that the signature is for; empty means all.
    public let audience: [String]

    /// Who publishes a plugin.
    public struct Publisher: Sendable, Hashable {
        /// Name of a person or organisation.
        public let name: String
        /// Where to report a problem.
        public let contact: String?
        /// Where its privacy statement stands: an `https` address, shown before the plugin is installed.
        public let privacy: String?
    }

    /// Where a plugin was built from.
    public struct BuildRecord: Sendable, Hashable {
        /// The address of the source.
        public let source: String?
        /// The revision within it.
        public let revision: String?
        /// The toolchain.
        public let toolchain: String?
        /// The recipe, for example `swiftpm-static/1`.
        public let recipe: String?
        /// Whether the publisher says that a second build gives the same bytes.
        public let reproducible: Bool
    }
}

/// How a plugin talks with the host.
public struct PluginProtocol: Sendable, Hashable {
    /// The major version of the protocol.
    public let major: Int
    /// Who drives the conversation.
    public let mode: Mode
    /// What the plugin needs the host to answer.
    public let features: [Feature]

    /// Who drives the conversation.
    public enum Mode: Sendable, Hashable {
        /// The plugin asks, the host answers.
        case ask
        /// All rows on stdin, the result on stdout.
        case filter(FilterInput)
    }

    /// The form of rows on a filter's stdin.
    public enum FilterInput: String, Sendable, Hashable, CaseIterable {
        /// An Arrow IPC stream.
        case arrow
        /// One JSON object a line.
        case ndjson
        /// Comma-separated values after RFC 4180, with a header line.
        case csv
    }

    /// What a plugin may ask the host for.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        /// Rows of Ds.
        case rows
        /// The bytes behind an asset handle.
        case asset
        /// A declared request to the network.
        case fetch
    }
}

/// What rows a plugin accepts.
public struct Accepts: Sendable, Hashable {
    /// The columns of Ds, in order.
    public let columns: [AcceptedColumn]
    /// The columns of the host's tables that a query for this plugin may read, in any part of the statement.
    public let reads: [TableReads]
    /// How much coarser than they are these are served: what the plugin does not ask for is never there.
    public let minimisation: Minimisation
    /// How many rows it accepts.
    public let rows: RowBounds
}

/// One column of Ds.
public struct AcceptedColumn: Sendable, Hashable {
    /// Its name in the result of the query.
    public let name: String
    /// What its cells must be.
    public let type: ColumnType
    /// For assets: the media types that may be handed out, for example `image/jpeg`; else empty.
    public let mediaTypes: [String]
    /// What kind of data it is, in a word, for people.
    public let category: String?
    /// What the plugin needs it for, for people.
    public let why: String?
}

/// The columns of one table that may be read.
public struct TableReads: Sendable, Hashable {
    /// The table.
    public let table: String
    /// Its columns; never empty.
    public let columns: [String]
}

/// The walls that a plugin asks for.
public enum SandboxProfile: String, Sendable, Hashable, CaseIterable {
    /// For static executables: no files at all.
    case strict
    /// For interpreters: a read-only view of their libraries.
    case runtime
    /// For interpreters whose script brings machine code of its own: modules of wheels. The same view, and what the package
    /// has beside the script may be mapped as code.
    case native

    /// Whether a script runs under it.
    public var isForScripts: Bool { self != .strict }
}

/// A machine that a program is for.
public enum Platform: String, Sendable, Hashable, CaseIterable {
    case linuxX86_64 = "linux-x86_64"
    case linuxAArch64 = "linux-aarch64"
    /// Any machine: scripts only.
    case any

    /// The machine that this code was compiled for.
    public static var current: Platform {
        #if arch(arm64)
        .linuxAArch64
        #else
        .linuxX86_64
        #endif
    }
}

/// The interpreters that a script may name: words, never paths; the host knows where each one lives.
public enum Interpreter: String, Sendable, Hashable, CaseIterable {
    case python3
    case jq
    case awk
    case sh
}

/// The program of a plugin for one platform.
public struct Artifact: Sendable, Hashable {
    /// The machine.
    public let platform: Platform
    /// The file in the package.
    public let path: String
    /// SHA-256 of the file, 64 lower-case hexadecimal digits; nil only in an author's manifest.
    public let sha256: String?
    /// Bytes of the file; nil only in an author's manifest.
    public let size: Int?
    /// How an executable is linked; nil for a script.
    public let linkage: Linkage?
    /// What runs it, if it is a script.
    public let interpreter: Interpreter?

    /// How an executable is linked.
    public enum Linkage: String, Sendable, Hashable, CaseIterable {
        /// No interpreter, no shared objects: what the profile `strict` demands.
        case `static`
        /// Needs the loader and libraries that the profile `runtime` shows.
        case dynamic
    }

    /// The largest program in bytes.
    public static let maximumBytes = 128 << 20
}

/// A file of a package that is not a program: a library of a script, a licence, a README.
public struct PackagedFile: Sendable, Hashable {
    /// The file in the package.
    public let path: String
    /// SHA-256 of the file, 64 lower-case hexadecimal digits.
    public let sha256: String

    /// Makes an entry.
    public init(path: String, sha256: String) {
        self.path = path
        self.sha256 = sha256
    }

    /// The largest such file in bytes: a model of speech has 26 MiB.
    public static let maximumBytes = 64 << 20
}
