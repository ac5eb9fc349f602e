import ArgumentParser
import Dispatch
import EscrowAuthority
import EscrowGRPC
import EscrowManifest
import EscrowServerService
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Glibc
import Tracing

struct RunServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Serve the devices that were enrolled, until SIGTERM.")
    @OptionGroup var folder: FolderOption
    @Option(help: "Listen at this port instead of that of init; 0 takes a free one.") var port: Int?
    @Option(help: "Answer /metrics and /healthz at this port; 0 takes a free one.") var metrics: Int?
    @Option(help: "The IPv4 address of that port; without it, this machine alone.")
    var metricsAddress = "127.0.0.1"
    @Option(help: "Append a line for each span of a run to this file, in OTLP's JSON.") var traces: String?
    @Option(help: "How many processes of a plugin in use wait, inside their walls, for their one run.")
    var ready = 2

    @OptionGroup var tpm: TPMOptions

    func validate() throws {
        guard 0...64 ~= ready else { throw ValidationError("--ready is 0 to 64") }
    }

    func run() async throws {
        ServerMachine.beWiping(CommandLine.arguments)
        let isLocked = try ServerMachine.shutIn()
        if !isLocked { Log.say(ServerMachine.unlocked) }
        let descriptors = ServerMachine.raiseDescriptors()
        let home = try folder.open()
        let service = try RunService(
            home, try home.registry(), version: SemanticVersion.host.description, isMemoryLocked: isLocked,
            attester: try tpm.attester(home), ready: ready)
        if let traces { InstrumentationSystem.bootstrap(try SpanFile(traces)) }
        let pair = try home.pair()
        let transport = OffloadServerTransport.make(
            address: home.settings.address, port: port ?? home.settings.port,
            authority: try home.authorityCertificate(), certificate: pair.certificate, key: pair.key,
            limits: ConnectionLimits(descriptors: descriptors, runs: home.settings.runs)
        ) { service.mayAsk($0) }
        let executor = LoopExecutor()
        let server = GRPCServer(
            transport: transport, services: [OffloadService(service, on: executor), HealthService(service)])
        let signals = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        signal(SIGTERM, SIG_IGN)
        signals.setEventHandler { server.beginGracefulShutdown() }
        signals.resume()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: executor) { try await server.serve() }
            let address = try await transport.listeningAddress
            say("listening  \(address.ipv4?.host ?? home.settings.address):\(address.ipv4?.port ?? 0)")
            if let metrics {
                let port = try await MetricsListener.start(service, address: metricsAddress, port: metrics)
                say("metrics    \(metricsAddress):\(port)")
            }
            try await group.waitForAll()
        }
        service.close()
        withExtendedLifetime(signals) {}
    }
}
