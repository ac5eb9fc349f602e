import ArgumentParser
import EscrowAuthority
import EscrowDiagnostics
import EscrowServerService

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a server's folder, its keys, and an authority that vouches for it.")
    @OptionGroup var folder: FolderOption
    @Option(help: "How the server calls itself.") var name = "home"
    @Option(help: "The name or IPv4 address by which devices reach it.") var host = "127.0.0.1"
    @Option(help: "The port.") var port = 7443
    @Option(help: "The IPv4 address to listen at; without it, this machine alone.") var address: String?
    @Option(help: "The folder of a server whose authority is to vouch for this one too.") var authority:
        String?
    @Option(help: "The folder of a server of which this one is to be a replica, behind a balancer.")
    var replicaOf: String?
    @Option(help: "A PostgreSQL registry shared by several servers, in libpq's words.") var registry: String?
    @Option(help: "The most runs at once.") var runs = 16
    @Option(help: "The most memory of a run, in MiB.") var memory = 4096

    func run() throws {
        if let replicaOf {
            let home = try ServerHome.open(at: replicaOf).replicate(at: folder.folder, address: address)
            say("replica    of \(home.settings.name), at \(home.settings.address):\(home.settings.port)")
            say("its key    \(try home.pair().pin)")
            return
        }
        let settings = ServerSettings(
            name: name, host: host, port: port, address: address ?? "127.0.0.1", registry: registry,
            runs: runs,
            memoryMiB: memory)
        let authority = try authority.map { (folder) throws(Diagnostic) in
            try ServerHome.open(at: folder).authority()
        }
        let home = try ServerHome.create(at: folder.folder, settings: settings, authority: authority)
        say("server     \(name), \(host):\(port)")
        say("its key    \(try home.pair().pin)")
        say("authority  \(authority == nil ? "made with it" : "the other server's")")
    }
}

struct RenewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Give the server a new certificate for its key; devices go on as they are.")
    @OptionGroup var folder: FolderOption
    @Option(help: "The folder with the authority's key, where it is another.") var authority: String?
    @Option(help: "How many days it is valid.") var days = Authority.serverDays

    func run() throws {
        let home = try folder.open()
        let authority = try authority.map { (folder) throws(Diagnostic) in
            try ServerHome.open(at: folder).authority()
        }
        try home.renew(try authority ?? home.authority(), days: days)
        say("renewed    for \(days) days; start the server anew")
    }
}
