import ArgumentParser
import Dispatch
import EscrowAuthority
import EscrowDiagnostics
import EscrowGRPC
import EscrowManifest
import EscrowServerService
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Glibc

struct RunServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Serve the devices that were enrolled, until SIGTERM.")
    @OptionGroup var folder: FolderOption
    @Option(help: "Listen at this port instead of that of init; 0 takes a free one.") var port: Int?

    func run() async throws {
        ServerMachine.beWiping(CommandLine.arguments)
        let isLocked = try ServerMachine.shutIn()
        if !isLocked { Log.say(ServerMachine.unlocked) }
        let home = try folder.open()
        let service = try RunService(
            home, try home.registry(), version: SemanticVersion.host.description, isMemoryLocked: isLocked)
        let pair = try home.pair()
        let transport = OffloadServerTransport.make(
            address: home.settings.address, port: port ?? home.settings.port,
            authority: try home.authorityCertificate(), certificate: pair.certificate, key: pair.key)
        let server = GRPCServer(transport: transport, services: [OffloadService(service), HealthService()])
        let signals = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        signal(SIGTERM, SIG_IGN)
        signals.setEventHandler { server.beginGracefulShutdown() }
        signals.resume()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            let address = try await transport.listeningAddress
            say("listening  \(address.ipv4?.host ?? home.settings.address):\(address.ipv4?.port ?? 0)")
            try await group.waitForAll()
        }
        withExtendedLifetime(signals) {}
    }
}
