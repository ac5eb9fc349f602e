import ArgumentParser
import EscrowFiles
import EscrowSharePostgres
import EscrowShareService

/// Keeps one provider's shares of groups' messages, and forgets them.
struct Options: ParsableArguments {
    static let configuration = CommandConfiguration(commandName: "escrow-share-server")

    @Option(help: "The folder of the database; made if it is missing.")
    var folder: String?
    @Option(
        help:
            "A PostgreSQL database in place of the folder's, as psql takes it: many servers may share one behind a balancer."
    )
    var postgres: String?
    @Option(help: "The certificate, a PEM file. Clients know the server by its key alone.")
    var certificate: String
    @Option(help: "The certificate's key, a PEM file: P-256.")
    var key: String
    @Option(help: "The IPv4 address to listen at.")
    var address = "127.0.0.1"
    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 8443
    @Option(help: "Requests that a member may make each second.")
    var rate = ShareLimits().rate
    @Option(help: "The longest share, in bytes.")
    var shareBytes = ShareLimits().shareBytes
    @Option(help: "What a group may keep here, in bytes.")
    var groupBytes = ShareLimits().groupBytes
    @Option(
        help:
            "What all groups may keep here, in bytes; without it half of the disk's room, or 32 GiB in PostgreSQL."
    )
    var totalBytes: Int64?
    @Option(help: "How many groups may be here.")
    var groups = ShareLimits().groups
    @Option(
        help:
            "How many groups one address may begin at once, and again within four days; all together with --per-address 0."
    )
    var foundings = ShareLimits().foundings
    @Option(
        help:
            "Connections that one address may have; 0 behind a balancer, whose address all have: let it limit them."
    )
    var perAddress: UInt32 = 64

    func validate() throws {
        guard (folder == nil) != (postgres == nil) else {
            throw ValidationError("say --folder or --postgres")
        }
    }

    func store() throws -> any ShareStore {
        if let postgres { return try PostgresStore(postgres) }
        let folder = folder ?? ""
        try SecureFile.makeFolder(folder)
        return try FileStore("\(folder)/shares.db", reserve: 1 << 20)
    }

    var limits: ShareLimits {
        var limits = ShareLimits()
        limits.rate = rate
        limits.burst = 10 * rate
        limits.shareBytes = shareBytes
        limits.groupBytes = groupBytes
        limits.totalBytes = totalBytes
        limits.groups = groups
        limits.foundings = foundings
        return limits
    }
}
