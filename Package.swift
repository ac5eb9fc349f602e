// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let grpc: Target.Dependency = .product(name: "GRPCCore", package: "grpc-swift-2")
let grpcTransport: Target.Dependency = .product(
    name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")

/// A module of ours, by its place under Sources/. docs/architecture.md says what it may depend on; a test compares.
func module(_ place: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: String(place.split(separator: "/").last!), dependencies: dependencies,
        path: "Sources/\(place)", swiftSettings: settings)
}

/// The tests of a module, under Tests/.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "escrow",
    products: [
        .executable(name: "escrow", targets: ["escrow"]),
        .executable(name: "escrow-egress", targets: ["escrow-egress"]),
        .executable(name: "escrow-service", targets: ["escrow-service"]),
        .library(name: "EscrowClient", targets: ["EscrowClient"]),
        .library(name: "EscrowPlugin", targets: ["EscrowPlugin"]),
        .library(name: "EscrowPluginTesting", targets: ["EscrowPluginTesting"]),
        // For Benchmarks/, a package of its own: the modules that it measures. No app or plugin may use it.
        .library(
            name: "EscrowMeasured",
            targets: [
                "EscrowAppHost", "EscrowConsent", "EscrowDiagnostics", "EscrowEgress", "EscrowEgressHTTP",
                "EscrowFiles",
                "EscrowGroup", "EscrowGroupDevice", "EscrowHashing", "EscrowHost", "EscrowJSON",
                "EscrowLedger",
                "EscrowLocationPrivacy", "EscrowManifest", "EscrowRelational", "EscrowSandbox",
                "EscrowSchema",
                "EscrowSharing", "EscrowSources", "EscrowTableKit", "EscrowTabular", "EscrowWire",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // For offload alone: `escrow` compiles none of these.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
    ],
    targets: [
        // Words and bytes.
        module("base/EscrowDiagnostics"),
        module("base/EscrowJSON"),
        module("base/EscrowHashing"),
        module("base/EscrowTabular"),
        module("base/EscrowFiles", "EscrowDiagnostics"),
        module("base/EscrowBus"),
        module("base/EscrowExplain", "EscrowDiagnostics"),
        module("base/EscrowTerminal"),

        // access(): the person's data as tables.
        module("access/EscrowSchema", "EscrowDiagnostics", "EscrowTabular"),
        module("access/EscrowMinimisation", "EscrowDiagnostics", "EscrowSchema", "EscrowTabular"),
        .target(
            name: "EscrowLocationPrivacy", dependencies: ["EscrowHashing"],
            path: "Sources/access/EscrowLocationPrivacy", exclude: ["Data"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CSQLite", path: "Sources/access/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        module(
            "access/EscrowRelational", "CSQLite", "EscrowDiagnostics", "EscrowFiles", "EscrowMinimisation",
            "EscrowSchema",
            "EscrowTabular"),
        module("access/EscrowDatabaseFiles", "CSQLite", "EscrowDiagnostics", "EscrowFiles"),
        .systemLibrary(
            name: "CExpat", path: "Sources/access/CExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/base/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        module(
            "access/EscrowSourceFiles", "CZlib", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles",
            "EscrowTabular"),
        module("access/EscrowFormats", "CExpat", "EscrowSourceFiles", "EscrowTabular"),
        module("access/EscrowMediaFormats", "EscrowFormats", "EscrowSourceFiles", "EscrowTabular"),
        module(
            "access/EscrowTableKit", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles",
            "EscrowFormats",
            "EscrowSchema", "EscrowSourceFiles", "EscrowTabular"),
        // The kinds of source, each a folder of one of these.
        module(
            "access/EscrowPeople", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles", "EscrowFormats",
            "EscrowHashing", "EscrowSchema", "EscrowSourceFiles", "EscrowTableKit", "EscrowTabular"),
        module(
            "access/EscrowPlaces", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles", "EscrowFormats",
            "EscrowJSON", "EscrowSchema", "EscrowSourceFiles", "EscrowTableKit", "EscrowTabular"),
        module(
            "access/EscrowMedia", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles", "EscrowFormats",
            "EscrowJSON", "EscrowMediaFormats", "EscrowSchema", "EscrowSourceFiles", "EscrowTableKit",
            "EscrowTabular"),
        module(
            "access/EscrowDesktop", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles",
            "EscrowFormats",
            "EscrowJSON", "EscrowSchema", "EscrowSourceFiles", "EscrowTableKit", "EscrowTabular"),
        module(
            "access/EscrowSources", "EscrowDesktop", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowMedia", "EscrowPeople", "EscrowPlaces", "EscrowSchema", "EscrowSourceFiles",
            "EscrowTableKit", "EscrowTabular"),

        // compute(): what a plugin says of itself, who vouches for it, how it speaks, what holds it.
        module(
            "compute/EscrowManifest", "EscrowDiagnostics", "EscrowJSON", "EscrowLocationPrivacy",
            "EscrowMinimisation",
            "EscrowTabular"),
        module(
            "compute/EscrowTrust", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowManifest", crypto),
        module("compute/EscrowWire", "EscrowJSON", "EscrowTabular"),
        module(
            "egress/EscrowEgress", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowLocationPrivacy",
            "EscrowManifest"),
        module("egress/EscrowEgressWire", "EscrowEgress", "EscrowJSON"),
        module(
            "egress/EscrowEgressHTTP", "EscrowDiagnostics", "EscrowEgress", "EscrowEgressWire", "EscrowFiles",
            "EscrowJSON"),
        .systemLibrary(
            name: "CSeccomp", path: "Sources/compute/CSeccomp", pkgConfig: "libseccomp",
            providers: [.apt(["libseccomp-dev"])]),
        .target(name: "CEscrowLauncher", path: "Sources/compute/CEscrowLauncher"),
        module("compute/EscrowSandbox", "CEscrowLauncher", "CSeccomp", "EscrowDiagnostics", "EscrowFiles"),

        // The network's side, a process of its own: it is told what to send, and holds nothing else.
        .systemLibrary(
            name: "CCurl", path: "Sources/egress/CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev", "libssl-dev"])]),
        .target(name: "CEgressWalls", dependencies: ["CSeccomp"], path: "Sources/egress/CEgressWalls"),
        .target(
            name: "CLineEditor", path: "Sources/base/CLineEditor",
            linkerSettings: [.linkedLibrary("edit")]),
        module("egress/EscrowHTTPAnswer", "CZlib", "EscrowEgress"),
        .executableTarget(
            name: "escrow-egress",
            dependencies: [
                "CCurl", "CEgressWalls", "EscrowEgress", "EscrowEgressWire", "EscrowHTTPAnswer", "EscrowJSON",
            ],
            path: "Sources/egress/escrow-egress",
            swiftSettings: settings),

        module(
            "compute/EscrowComputation", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles", "EscrowJSON",
            "EscrowManifest", "EscrowMinimisation", "EscrowSandbox", "EscrowSchema", "EscrowTabular",
            "EscrowTrust", "EscrowWire"),

        // The individual: what was decided, what happened.
        module(
            "individual/EscrowLedger", "EscrowDiagnostics", "EscrowFiles", "EscrowHashing", "EscrowJSON",
            crypto),
        module(
            "individual/EscrowIdentity", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowMinimisation", crypto),
        module(
            "individual/EscrowConsent", "EscrowBus", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation"),

        module(
            "individual/EscrowBackup", "EscrowDiagnostics", "EscrowFiles", crypto,
            .product(name: "CryptoExtras", package: "swift-crypto")),

        // The orchestra, and those who call it.
        module("apps/EscrowAppWire", "EscrowDiagnostics", "EscrowJSON"),
        module(
            "individual/EscrowCredentials", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles", "EscrowJSON",
            crypto),
        module(
            "individual/EscrowHome", "EscrowConsent", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles",
            "EscrowJSON", "EscrowLedger", "EscrowManifest", "EscrowSandbox", "EscrowTrust"),
        module(
            "individual/EscrowLocation", "EscrowBus", "EscrowDiagnostics", "EscrowFiles", "EscrowHashing",
            "EscrowHome",
            "EscrowJSON", "EscrowLedger", "EscrowLocationPrivacy"),
        module(
            "host/EscrowHost", "EscrowAppWire", "EscrowBackup", "EscrowComputation", "EscrowConsent",
            "EscrowCredentials", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles", "EscrowHashing",
            "EscrowHome", "EscrowIdentity", "EscrowJSON", "EscrowLedger", "EscrowLocation",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation", "EscrowOffloadWire",
            "EscrowRelational", "EscrowRemote", "EscrowSandbox", "EscrowSchema", "EscrowServers",
            "EscrowSources", "EscrowTableKit", "EscrowTabular", "EscrowTrust", "EscrowWire"),
        module(
            "apps/EscrowAppHost", "EscrowAppWire", "EscrowDiagnostics", "EscrowFiles", "EscrowHome",
            "EscrowHost", "EscrowJSON", "EscrowTrust"),
        module(
            "authoring/EscrowCases", "EscrowComputation", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles",
            "EscrowJSON", "EscrowManifest", "EscrowMinimisation", "EscrowSandbox", "EscrowTabular",
            "EscrowTrust", "EscrowWire"),
        // The individual's own page, and the individual's agents.
        module(
            "apps/EscrowPage", "EscrowConsent", "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowLedger",
            "EscrowManifest", "EscrowTrust"),
        module(
            "apps/EscrowPageServer", "CMicrohttpd", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles",
            "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowLedger", "EscrowManifest", "EscrowPage",
            "EscrowSources", "EscrowTableKit", "EscrowTabular", "EscrowTrust"),
        module(
            "apps/EscrowMCP", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles", "EscrowHost", "EscrowJSON",
            "EscrowManifest", "EscrowSchema", "EscrowSources", "EscrowTabular", "EscrowTrust"),
        .executableTarget(
            name: "escrow",
            dependencies: [
                "CAppPeers", "CLineEditor", "EscrowAppHost", "EscrowApps", "EscrowBackup", "EscrowCases",
                "EscrowComputation", "EscrowConsent", "EscrowCredentials", "EscrowDiagnostics",
                "EscrowEgress", "EscrowEgressHTTP", "EscrowExplain", "EscrowFiles", "EscrowHome",
                "EscrowHost", "EscrowIdentity", "EscrowJSON", "EscrowLedger", "EscrowLocation",
                "EscrowLocationPrivacy", "EscrowMCP", "EscrowManifest", "EscrowMinimisation",
                "EscrowOffloadWire", "EscrowPageServer", "EscrowRelational", "EscrowRemote", "EscrowSandbox",
                "EscrowSchema", "EscrowServers", "EscrowSources", "EscrowTableKit", "EscrowTabular",
                "EscrowTerminal", "EscrowTrust",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .target(name: "CAppPeers", path: "Sources/apps/CAppPeers"),
        module(
            "apps/EscrowApps", "CAppPeers", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowTrust"),
        module(
            "apps/EscrowService", "EscrowAppHost", "CAppPeers", "CMicrohttpd", "EscrowAppWire", "EscrowApps",
            "EscrowConsent",
            "EscrowDiagnostics", "EscrowFiles", "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowSchema",
            "EscrowSources", "EscrowTabular", "EscrowTrust"),
        .executableTarget(
            name: "escrow-service",
            dependencies: [
                "CAppPeers", "EscrowApps", "EscrowDiagnostics", "EscrowEgress", "EscrowEgressHTTP",
                "EscrowFiles",
                "EscrowHome", "EscrowHost", "EscrowManifest", "EscrowService",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/apps/escrow-service",
            swiftSettings: settings),
        module("apps/EscrowClient", "EscrowAppWire", "EscrowDiagnostics", "EscrowJSON"),

        // A group: what its members share through servers that none of them trusts.
        module("group/EscrowSharing", crypto),
        module("group/EscrowGroup", "EscrowJSON", crypto),
        module("group/EscrowGroupAnswers", "EscrowGroup", "EscrowJSON", "EscrowSharing", crypto),
        module("base/EscrowDatabase", "CSQLite", "EscrowDiagnostics", "EscrowFiles"),
        module("group/EscrowShareWire", "EscrowJSON"),
        module(
            "group/EscrowShareService", "EscrowDatabase", "EscrowDiagnostics", "EscrowJSON",
            "EscrowShareWire",
            crypto),
        module("group/EscrowShareClient", "CCurl"),
        module(
            "group/EscrowGroupDevice", "EscrowDatabase", "EscrowDiagnostics", "EscrowFiles", "EscrowGroup",
            "EscrowGroupAnswers", "EscrowJSON", "EscrowShareClient", "EscrowShareWire", "EscrowSharing"),
        .executableTarget(
            name: "escrow-group",
            dependencies: [
                "EscrowDiagnostics", "EscrowFiles", "EscrowGroup", "EscrowGroupAnswers", "EscrowGroupDevice",
                "EscrowJSON", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/group/escrow-group",
            swiftSettings: settings),
        .systemLibrary(
            name: "CMicrohttpd", path: "Sources/base/CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .executableTarget(
            name: "escrow-share-server",
            dependencies: [
                "CMicrohttpd", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowShareService",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), crypto,
            ],
            path: "Sources/group/escrow-share-server",
            swiftSettings: settings),

        // Offload: compute() on servers that the individual named. `escrow` depends on the first three alone: it compiles no gRPC.
        .target(
            name: "EscrowOffloadWire", dependencies: ["EscrowJSON"],
            path: "Sources/offload/EscrowOffloadWire",
            exclude: ["offload.proto"], swiftSettings: settings),
        module(
            "offload/EscrowServers", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowOffloadWire"),
        module(
            "offload/EscrowRemote", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowOffloadWire",
            "EscrowSandbox", "EscrowServers"),
        .target(
            name: "COffloadWalls", dependencies: ["CSeccomp"], path: "Sources/offload/COffloadWalls"),
        module("offload/EscrowAuthority", "EscrowDiagnostics", crypto, x509),
        module("offload/EscrowServerRegistry", "EscrowDatabase", "EscrowDiagnostics"),
        module(
            "offload/EscrowServerService", "COffloadWalls", "EscrowAuthority", "EscrowDiagnostics",
            "EscrowFiles", "EscrowJSON", "EscrowManifest", "EscrowOffloadWire", "EscrowSandbox",
            "EscrowServerRegistry", "EscrowServers", "EscrowTrust"),
        module(
            "offload/EscrowGRPC", "EscrowAuthority", grpc, grpcTransport, x509, crypto,
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "SwiftASN1", package: "swift-asn1")),
        .executableTarget(
            name: "escrow-remote",
            dependencies: [
                "COffloadWalls", "EscrowGRPC", "EscrowJSON", "EscrowOffloadWire", grpc, grpcTransport,
            ],
            path: "Sources/offload/escrow-remote", swiftSettings: settings),
        .executableTarget(
            name: "escrow-server",
            dependencies: [
                "COffloadWalls", "EscrowAuthority", "EscrowDiagnostics", "EscrowFiles", "EscrowGRPC",
                "EscrowManifest", "EscrowOffloadWire", "EscrowSandbox", "EscrowServerRegistry",
                "EscrowServerService", "EscrowTrust", grpc, grpcTransport,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/offload/escrow-server", swiftSettings: settings),

        // The plugin author's kit.
        module("authoring/EscrowPlugin", "EscrowJSON", "EscrowTabular", "EscrowWire"),
        module("authoring/EscrowPluginTesting", "EscrowJSON", "EscrowPlugin", "EscrowTabular", "EscrowWire"),

        tests("ArchitectureTests"),
        tests("EscrowJSONTests", "EscrowJSON"),
        // A disk that fails at any call, for the tests of what writes files.
        .target(name: "CFaults", path: "Tests/Support/CFaults"),
        .target(
            name: "FaultyDisk", dependencies: ["CFaults"], path: "Tests/Support/FaultyDisk",
            swiftSettings: settings),
        // Folders that go with the tests that made them.
        .target(
            name: "TemporaryFolder", path: "Tests/Support/TemporaryFolder", swiftSettings: settings),
        tests("EscrowFilesTests", "EscrowDiagnostics", "EscrowFiles", "FaultyDisk", "TemporaryFolder"),
        tests("EscrowBusTests", "EscrowBus", "TemporaryFolder"),
        tests("EscrowTabularTests", "EscrowTabular"),
        tests("EscrowTerminalTests", "EscrowTerminal"),
        tests(
            "EscrowRelationalTests", "CSQLite", "EscrowDiagnostics", "EscrowFiles", "EscrowMinimisation",
            "EscrowRelational", "EscrowSchema", "EscrowTabular"),
        tests("EscrowDatabaseFilesTests", "EscrowDatabaseFiles", "EscrowDiagnostics"),
        tests("EscrowMinimisationTests", "EscrowDiagnostics", "EscrowMinimisation"),
        tests(
            "EscrowLocationTests", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowLocation",
            "EscrowLocationPrivacy", "TemporaryFolder"),
        tests("EscrowLocationPrivacyTests", "EscrowHashing", "EscrowLocationPrivacy"),
        tests(
            "EscrowSourcesTests", "EscrowDesktop", "EscrowDiagnostics", "EscrowFiles", "EscrowFormats",
            "EscrowMedia", "EscrowMediaFormats", "EscrowPeople", "EscrowPlaces", "EscrowSchema",
            "EscrowSourceFiles", "EscrowSources", "EscrowTableKit", "EscrowTabular"),
        tests(
            "EscrowManifestTests", "EscrowDiagnostics", "EscrowJSON", "EscrowManifest", "EscrowMinimisation",
            "EscrowTabular"),
        tests(
            "EscrowTrustTests", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowManifest",
            "EscrowTrust", crypto),
        tests(
            "EscrowComputationTests", "EscrowComputation", "EscrowDiagnostics", "EscrowFiles",
            "EscrowMinimisation", "EscrowRelational", "EscrowSandbox", "EscrowSchema", "EscrowTabular",
            "TemporaryFolder"),
        tests("EscrowAuthorityTests", "EscrowAuthority"),
        tests("EscrowWireTests", "EscrowJSON", "EscrowTabular", "EscrowWire"),
        tests(
            "EscrowPluginTests", "EscrowComputation", "EscrowDiagnostics", "EscrowHost", "EscrowJSON",
            "EscrowPlugin",
            "EscrowPluginTesting", "EscrowTabular",
            "EscrowWire", "TemporaryFolder"),
        tests(
            "EscrowEgressHTTPTests", "EscrowDiagnostics", "EscrowEgress", "EscrowEgressHTTP", "EscrowJSON",
            "EscrowManifest", "EgressWallsProbe", "escrow-egress"),
        .executableTarget(
            name: "EgressWallsProbe", dependencies: ["CEgressWalls"], path: "Tests/Support/EgressWallsProbe"),
        tests("EscrowServiceTests", "EscrowAppWire", "EscrowConsent", "EscrowJSON", "EscrowService"),
        tests("EscrowHTTPAnswerTests", "EscrowEgress", "EscrowHTTPAnswer"),
        tests("EscrowEgressWireTests", "EscrowEgress", "EscrowEgressWire", "EscrowJSON"),
        // Every misdeed, outside and inside the sandbox: `make probes`.
        .target(name: "CProbeRunner", path: "Tests/Support/CProbeRunner"),
        .executableTarget(
            name: "probes", dependencies: ["CProbeRunner", "EscrowDiagnostics", "EscrowSandbox"],
            path: "Tests/Probes/Runner", swiftSettings: settings),
        tests(
            "EscrowEgressTests", "EscrowDiagnostics", "EscrowEgress", "EscrowJSON", "EscrowLocationPrivacy",
            "EscrowManifest", "TemporaryFolder"),
        tests(
            "EscrowSandboxTests", "CEscrowLauncher", "CSeccomp", "EscrowDiagnostics", "EscrowFiles",
            "EscrowSandbox", "TemporaryFolder"),
        .executableTarget(
            name: "LedgerWriter", dependencies: ["EscrowDiagnostics", "EscrowJSON", "EscrowLedger", crypto],
            path: "Tests/Support/LedgerWriter", swiftSettings: settings),
        tests(
            "EscrowLedgerTests", "EscrowDiagnostics", "EscrowJSON", "EscrowLedger", "FaultyDisk",
            "LedgerWriter", crypto),
        tests(
            "EscrowHostTests", "EscrowComputation", "EscrowConsent", "EscrowDiagnostics", "EscrowEgress",
            "EscrowFiles", "EscrowHome", "EscrowHost", "EscrowIdentity", "EscrowJSON", "EscrowLedger",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation", "EscrowRelational",
            "EscrowSandbox", "EscrowSchema", "EscrowServers", "EscrowSources", "EscrowTableKit",
            "EscrowTabular", "EscrowTrust", "TemporaryFolder"),
        tests(
            "EscrowConsentTests", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation", "FaultyDisk", "TemporaryFolder"),
        tests(
            "EscrowIdentityTests", "EscrowDiagnostics", "EscrowIdentity", "EscrowMinimisation",
            "TemporaryFolder"),
        tests(
            "EscrowBackupTests", "EscrowBackup", "EscrowDiagnostics", "EscrowFiles", "TemporaryFolder"),
        tests("EscrowGroupTests", "EscrowGroup", "EscrowJSON"),
        tests("EscrowGroupAnswersTests", "EscrowGroup", "EscrowGroupAnswers"),
        tests("EscrowSharingTests", "EscrowSharing", "TemporaryFolder"),
        .target(
            name: "ShareServers", dependencies: ["TemporaryFolder"], path: "Tests/Support/ShareServers",
            swiftSettings: settings),
        tests(
            "EscrowShareClientTests", "EscrowShareClient", "EscrowShareWire", "ShareServers",
            "TemporaryFolder", "escrow-share-server"),
        tests(
            "EscrowGroupDeviceTests", "EscrowDatabase", "EscrowDiagnostics", "EscrowGroup",
            "EscrowGroupAnswers", "EscrowGroupDevice", "EscrowJSON", "ShareServers", "TemporaryFolder",
            "escrow", "escrow-group",
            "escrow-share-server"),
        tests("EscrowShareServiceTests", "EscrowShareService", "EscrowShareWire", "TemporaryFolder"),
        tests("EscrowOffloadWireTests", "EscrowJSON", "EscrowOffloadWire"),
        tests(
            "EscrowAppHostTests", "EscrowAppHost", "EscrowDiagnostics", "EscrowHome", "EscrowHost",
            "TemporaryFolder"),
        tests("EscrowPageTests", "EscrowHome", "EscrowJSON", "EscrowLedger", "EscrowPage"),
        tests("EscrowPageServerTests", "EscrowPageServer"),
        tests("EscrowMCPTests", "EscrowJSON", "EscrowMCP"),
        tests("EscrowAppWireTests", "EscrowAppWire", "EscrowDiagnostics", "EscrowJSON"),
        tests("EscrowClientTests", "EscrowAppWire", "EscrowClient", "EscrowJSON"),
        .executableTarget(
            name: "RemoteWallsProbe", dependencies: ["COffloadWalls"], path: "Tests/Support/RemoteWallsProbe"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "EscrowClient", "EscrowJSON", "TemporaryFolder", "escrow", "escrow-egress", "escrow-remote",
                "escrow-server", "escrow-service", "probes", "RemoteWallsProbe",
            ],
            exclude: [
                "Caller", "Echo", "Hungry", "Offload/faulty-link.py", "Offload/hostile-remote.py", "Rogue",
                "Traced",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
