// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// For modules that go through bytes or numbers one by one, whose unoptimised code would lead the tests' time (docs/house.md).
/// scripts/test.flags says `-Onone` last; `-Xfrontend` comes after that.
let optimised = SwiftSetting.unsafeFlags(["-Xfrontend", "-O"], .when(configuration: .release))

/// For programs that tests start thousands of times: with Swift's libraries inside, a start takes a fifth to a third less.
/// Releases have them inside anyway (`--static-swift-stdlib`).
/// No library is loaded later, so the linker need not keep and name each function for one.
let selfContained = LinkerSetting.unsafeFlags(
    [
        "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-Xlinker",
        "--no-export-dynamic",
    ], .when(configuration: .release))

/// The values that a run's steps pass on have thousands of members of members. The optimiser does not end within minutes where it
/// looks for what of them can leave a loop.
let loopsAsWritten = SwiftSetting.unsafeFlags(
    ["-Xllvm", "-sil-disable-pass=loop-invariant-code-motion"], .when(configuration: .release))

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let grpc: Target.Dependency = .product(name: "GRPCCore", package: "grpc-swift-2")
let grpcTransport: Target.Dependency = .product(
    name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")

/// What a few modules are compiled with besides.
let special: [String: [SwiftSetting]] = [
    "host/EscrowHost": [loopsAsWritten], "access/EscrowFormats": [optimised],
    "access/EscrowPeople": [optimised],
    "base/EscrowFiles": [optimised], "base/EscrowHashing": [optimised], "base/EscrowJSON": [optimised],
]

/// A module of ours, by its place under Sources/. docs/architecture.md says what it may depend on; a test compares.
func module(_ place: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: String(place.split(separator: "/").last!), dependencies: dependencies,
        path: "Sources/\(place)",
        swiftSettings: settings + special[place, default: []])
}

/// The tests of a module, under Tests/. Programs that tests start are no dependencies of theirs: every build of tests makes
/// all programs, and a test that depended on one would be compiled after it, and again after each change of it.
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
                "EscrowGroup", "EscrowGroupDevice", "EscrowHashing", "EscrowHome", "EscrowHost", "EscrowJSON",
                "EscrowLedger",
                "EscrowLocationPrivacy", "EscrowManifest", "EscrowRelational", "EscrowSandbox",
                "EscrowSchema",
                "EscrowShareClient", "EscrowSharing", "EscrowSources", "EscrowTableKit", "EscrowTabular",
                "EscrowWire", "GroupNetwork",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // For offload alone: `escrow` compiles none of these.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
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
            swiftSettings: settings + [optimised]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/access/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        module(
            "access/EscrowRelational", "CSQLite", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowMinimisation", "EscrowSchema", "EscrowTabular"),
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
            "access/EscrowPlaces", "EscrowBus", "EscrowDatabaseFiles", "EscrowDiagnostics", "EscrowFiles",
            "EscrowFormats", "EscrowJSON", "EscrowSchema", "EscrowSourceFiles", "EscrowTableKit",
            "EscrowTabular"),
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
                "CCurl", "CEgressWalls", "EscrowEgress", "EscrowEgressWire", "EscrowFiles",
                "EscrowHTTPAnswer", "EscrowJSON",
            ],
            path: "Sources/egress/escrow-egress",
            swiftSettings: settings, linkerSettings: [selfContained]),

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
            "individual/EscrowConsent", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation"),
        module(
            "individual/EscrowQuestion", "EscrowConsent", "EscrowDiagnostics", "EscrowManifest",
            "EscrowMinimisation"),
        module(
            "individual/EscrowDevice", "EscrowBus", "EscrowConsent", "EscrowEgress", "EscrowFiles",
            "EscrowJSON"),

        module(
            "individual/EscrowOwnDevices", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles", "EscrowHome",
            "EscrowIdentity", "EscrowJSON", "EscrowLedger", "EscrowTrust"),
        module(
            "individual/EscrowBackup", "EscrowDiagnostics", "EscrowFiles", crypto,
            .product(name: "CryptoExtras", package: "swift-crypto")),

        // The orchestra, and those who call it.
        module("apps/EscrowAppWire", "EscrowDiagnostics", "EscrowJSON"),
        module(
            "individual/EscrowCredentials", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles", "EscrowJSON",
            "EscrowManifest", crypto),
        module(
            "individual/EscrowHome", "EscrowConsent", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles",
            "EscrowJSON", "EscrowLedger", "EscrowManifest", "EscrowSandbox", "EscrowSchema", "EscrowTabular",
            "EscrowTrust"),
        module(
            "individual/EscrowLocation", "EscrowBus", "EscrowDiagnostics", "EscrowFiles", "EscrowHashing",
            "EscrowHome",
            "EscrowJSON", "EscrowLedger", "EscrowLocationPrivacy"),
        module(
            "host/EscrowHost", "EscrowAppWire", "EscrowAttestation",
            "EscrowComputation",
            "EscrowConsent",
            "EscrowCredentials", "EscrowDevice", "EscrowDiagnostics", "EscrowEgress", "EscrowFiles",
            "EscrowHome", "EscrowIdentity", "EscrowJSON", "EscrowLedger", "EscrowLocation",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation", "EscrowOffloadWire",
            "EscrowPlacement", "EscrowPlaces", "EscrowQuestion",
            "EscrowRelational", "EscrowRemote", "EscrowSandbox", "EscrowSchema", "EscrowServers",
            "EscrowSources", "EscrowTableKit", "EscrowTabular", "EscrowTrust", "EscrowWire"),
        module(
            "apps/EscrowRestore", "EscrowApps", "EscrowBackup", "EscrowConsent", "EscrowCredentials",
            "EscrowDiagnostics",
            "EscrowFiles", "EscrowHome", "EscrowHost", "EscrowIdentity", "EscrowJSON", "EscrowLedger",
            "EscrowLocation", "EscrowLocationPrivacy", "EscrowTrust"),
        module(
            "apps/EscrowAppHost", "EscrowAppWire", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles",
            "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowLocation", "EscrowLocationPrivacy",
            "EscrowRelational", "EscrowTabular"),
        module(
            "authoring/EscrowCases", "EscrowComputation", "EscrowDiagnostics", "EscrowEgress",
            "EscrowFiles", "EscrowHome", "EscrowJSON", "EscrowManifest", "EscrowMinimisation",
            "EscrowSandbox", "EscrowTabular", "EscrowTrust", "EscrowWire"),
        // The individual's own page, and the individual's agents.
        module(
            "apps/EscrowPage", "EscrowConsent", "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowLedger",
            "EscrowLocation", "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation",
            "EscrowQuestion", "EscrowTrust"),
        module(
            "apps/EscrowPageServer", "CMicrohttpd", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles",
            "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowLedger", "EscrowLocation",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowPage", "EscrowQuestion", "EscrowSources",
            "EscrowTableKit", "EscrowTabular", "EscrowTrust"),
        module(
            "apps/EscrowMCP", "EscrowAppWire", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles",
            "EscrowHost", "EscrowJSON", "EscrowManifest", "EscrowSchema", "EscrowSources", "EscrowTabular",
            "EscrowTrust"),
        // What commands share, and the commands of plugins' authors.
        module(
            "apps/EscrowConsole", "EscrowConsent", "EscrowDiagnostics", "EscrowEgressHTTP", "EscrowFiles",
            "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowSources", "EscrowTableKit", "EscrowTabular",
            "EscrowTerminal", .product(name: "ArgumentParser", package: "swift-argument-parser")),
        module(
            "authoring/EscrowAuthoring", "EscrowCases", "EscrowConsent", "EscrowConsole", "EscrowDiagnostics",
            "EscrowFiles", "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowManifest", "EscrowMinimisation",
            "EscrowSandbox", "EscrowTrust",
            .product(name: "ArgumentParser", package: "swift-argument-parser")),
        module(
            "apps/EscrowLocationCommands", "EscrowConsole", "EscrowDiagnostics", "EscrowFiles", "EscrowHost",
            "EscrowJSON", "EscrowLocation", "EscrowLocationPrivacy",
            .product(name: "ArgumentParser", package: "swift-argument-parser")),
        .executableTarget(
            name: "escrow",
            dependencies: [
                "CAppPeers", "CLineEditor", "EscrowAppHost", "EscrowAppWire", "EscrowApps", "EscrowAuthoring",
                "EscrowBackup",
                "EscrowComputation", "EscrowConsent", "EscrowConsole", "EscrowCredentials",
                "EscrowDiagnostics",
                "EscrowEgress", "EscrowEgressHTTP", "EscrowExplain", "EscrowFiles", "EscrowHome",
                "EscrowHost", "EscrowIdentity", "EscrowJSON", "EscrowLedger", "EscrowLocation",
                "EscrowLocationCommands", "EscrowLocationPrivacy", "EscrowMCP", "EscrowManifest",
                "EscrowMinimisation",
                "EscrowOffloadWire", "EscrowOwnDevices", "EscrowPageServer", "EscrowQuestion",
                "EscrowRelational",
                "EscrowRemote", "EscrowRestore", "EscrowSandbox",
                "EscrowSchema", "EscrowServers", "EscrowServiceCall", "EscrowSources", "EscrowTableKit",
                "EscrowTabular", "EscrowTrust",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings, linkerSettings: [selfContained]),
        .target(name: "CAppPeers", path: "Sources/apps/CAppPeers"),
        .target(name: "CAppWalls", dependencies: ["CSeccomp"], path: "Sources/apps/CAppWalls"),
        module(
            "apps/EscrowApps", "CAppPeers", "CAppWalls", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowTrust"),
        module(
            "apps/EscrowService", "CAppPeers", "CMicrohttpd", "EscrowAppHost", "EscrowAppWire",
            "EscrowApps", "EscrowBus", "EscrowConsent", "EscrowDiagnostics", "EscrowFiles", "EscrowHome",
            "EscrowHost", "EscrowJSON", "EscrowLocation", "EscrowQuestion", "EscrowSchema", "EscrowSources",
            "EscrowTabular", "EscrowTrust"),
        .executableTarget(
            name: "escrow-service",
            dependencies: [
                "CAppPeers", "EscrowApps", "EscrowDiagnostics", "EscrowEgress", "EscrowEgressHTTP",
                "EscrowFiles",
                "EscrowHome", "EscrowHost", "EscrowManifest", "EscrowService",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/apps/escrow-service",
            swiftSettings: settings, linkerSettings: [selfContained]),
        module("apps/EscrowServiceCall", "EscrowAppWire", "EscrowDiagnostics"),
        module("apps/EscrowClient", "EscrowAppWire", "EscrowDiagnostics", "EscrowJSON", "EscrowServiceCall"),

        // A group: what its members share through servers that none of them trusts.
        .target(name: "CGaloisField", path: "Sources/group/CGaloisField"),
        module("group/EscrowSharing", "CGaloisField", crypto),
        module("group/EscrowGroup", "EscrowJSON", crypto),
        module("group/EscrowGroupAnswers", "EscrowGroup", "EscrowJSON", "EscrowSharing", crypto),
        module("base/EscrowDatabase", "CSQLite", "EscrowDiagnostics", "EscrowFiles"),
        module("group/EscrowShareWire", "EscrowJSON"),
        module(
            "group/EscrowShareService", "EscrowDatabase", "EscrowDiagnostics", "EscrowJSON",
            "EscrowShareWire",
            crypto),
        .systemLibrary(
            name: "CPostgres", path: "Sources/base/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]),
        module(
            "group/EscrowSharePostgres", "CPostgres", "EscrowDiagnostics", "EscrowJSON",
            "EscrowShareService", crypto),
        module("group/EscrowShareClient", "CCurl"),
        module(
            "group/EscrowGroupDevice", "EscrowDatabase", "EscrowDiagnostics", "EscrowFiles", "EscrowGroup",
            "EscrowGroupAnswers", "EscrowJSON", "EscrowShareClient", "EscrowShareWire", "EscrowSharing"),
        .systemLibrary(
            name: "CSodium", path: "Sources/group/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(
            name: "CQREncode", path: "Sources/group/CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        module("group/EscrowMeeting", "CQREncode", "CSodium", crypto),
        .executableTarget(
            name: "escrow-group",
            dependencies: [
                "EscrowDiagnostics", "EscrowFiles", "EscrowGroup", "EscrowGroupAnswers", "EscrowGroupDevice",
                "EscrowJSON", "EscrowMeeting", "EscrowShareClient", "EscrowTerminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/group/escrow-group",
            swiftSettings: settings),
        .systemLibrary(
            name: "CMicrohttpd", path: "Sources/base/CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .executableTarget(
            name: "escrow-share-server",
            dependencies: [
                "CMicrohttpd", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowSharePostgres",
                "EscrowShareService",
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
            "offload/EscrowAttestation", "EscrowDiagnostics", "EscrowJSON", crypto),
        module(
            "offload/EscrowServers", "EscrowAttestation", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowOffloadWire"),
        module(
            "offload/EscrowRemote", "EscrowAttestation", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON",
            "EscrowOffloadWire",
            "EscrowSandbox", "EscrowServers"),
        .target(
            name: "COffloadWalls", dependencies: ["CSeccomp"], path: "Sources/offload/COffloadWalls"),
        module("offload/EscrowPlacement", "EscrowConsent", "EscrowJSON"),
        module("offload/EscrowAuthority", "EscrowDiagnostics", crypto, x509),
        module("offload/EscrowServerRegistry", "CPostgres", "EscrowDatabase", "EscrowDiagnostics"),
        module(
            "offload/EscrowServerService", "COffloadWalls", "EscrowAttestation", "EscrowAuthority",
            "EscrowDiagnostics",
            "EscrowFiles", "EscrowJSON", "EscrowManifest", "EscrowOffloadWire", "EscrowSandbox",
            "EscrowServerRegistry", "EscrowServers", "EscrowTrust"),
        .systemLibrary(
            name: "CTSS", path: "Sources/offload/CTSS", pkgConfig: "tss2-esys",
            providers: [.apt(["libtss2-dev"])]),
        .target(
            name: "CTPM", dependencies: ["CTSS"], path: "Sources/offload/CTPM",
            linkerSettings: [.linkedLibrary("tss2-esys"), .linkedLibrary("tss2-tctildr")]),
        module("offload/EscrowTPM", "CTPM", "EscrowAttestation", "EscrowDiagnostics", crypto),
        module(
            "offload/EscrowGRPC", "EscrowAuthority", grpc, grpcTransport, x509, crypto,
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "SwiftASN1", package: "swift-asn1")),
        .executableTarget(
            name: "escrow-remote",
            dependencies: [
                "COffloadWalls", "EscrowFiles", "EscrowGRPC", "EscrowJSON", "EscrowOffloadWire", grpc,
                grpcTransport,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/offload/escrow-remote", swiftSettings: settings),
        .executableTarget(
            name: "escrow-server",
            dependencies: [
                "COffloadWalls", "EscrowAttestation", "EscrowAuthority", "EscrowDiagnostics", "EscrowFiles",
                "EscrowGRPC", "EscrowJSON", "EscrowManifest", "EscrowOffloadWire", "EscrowSandbox",
                "EscrowServerRegistry",
                "EscrowServerService", "EscrowTPM", "EscrowTrust", grpc, grpcTransport,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/offload/escrow-server", swiftSettings: settings),

        // The plugin author's kit.
        module("authoring/EscrowPlugin", "EscrowJSON", "EscrowTabular", "EscrowWire"),
        module("authoring/EscrowPluginTesting", "EscrowJSON", "EscrowPlugin", "EscrowTabular", "EscrowWire"),

        // Threads for tests that wait. All tests are one program, so one of them brings these for all.
        .target(name: "CTestThreads", path: "Tests/Support/CTestThreads"),
        tests("ArchitectureTests", "CTestThreads"),
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
        tests("EscrowBusTests", "EscrowBus"),
        tests("EscrowTabularTests", "EscrowTabular"),
        tests("EscrowTerminalTests", "EscrowTerminal"),
        tests(
            "EscrowRelationalTests", "CSQLite", "EscrowDiagnostics", "EscrowFiles", "EscrowMinimisation",
            "EscrowRelational", "EscrowSchema", "EscrowTabular"),
        tests("EscrowDatabaseFilesTests", "EscrowDatabaseFiles", "EscrowDiagnostics"),
        tests("EscrowMinimisationTests", "EscrowDiagnostics", "EscrowMinimisation"),
        tests(
            "EscrowLocationTests", "EscrowDiagnostics", "EscrowLocation", "EscrowLocationPrivacy",
            "TemporaryFolder"),
        tests("EscrowLocationPrivacyTests", "EscrowHashing", "EscrowLocationPrivacy"),
        tests(
            "EscrowSourcesTests", "EscrowDesktop", "EscrowDiagnostics", "EscrowFormats", "EscrowMedia",
            "EscrowMediaFormats", "EscrowPeople", "EscrowPlaces", "EscrowSchema", "EscrowSourceFiles",
            "EscrowSources", "EscrowTableKit", "EscrowTabular"),
        tests(
            "EscrowManifestTests", "EscrowDiagnostics", "EscrowJSON", "EscrowLocationPrivacy",
            "EscrowManifest", "EscrowMinimisation", "EscrowTabular"),
        tests(
            "EscrowTrustTests", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowManifest",
            "EscrowTrust", crypto),
        tests(
            "EscrowComputationTests", "EscrowComputation", "EscrowDiagnostics", "EscrowSandbox",
            "EscrowSchema", "EscrowTabular"),
        tests("EscrowAuthorityTests", "EscrowAuthority"),
        tests("EscrowWireTests", "EscrowJSON", "EscrowTabular", "EscrowWire"),
        tests(
            "EscrowPluginTests", "EscrowComputation", "EscrowDiagnostics", "EscrowHost", "EscrowJSON",
            "EscrowPlugin", "EscrowPluginTesting", "EscrowTabular", "EscrowWire", "TemporaryFolder"),
        tests(
            "EscrowEgressHTTPTests", "EscrowCredentials", "EscrowEgress", "EscrowEgressHTTP", "EscrowJSON",
            "EscrowManifest", "TemporaryFolder"),
        .executableTarget(
            name: "EgressWallsProbe", dependencies: ["CEgressWalls"], path: "Tests/Support/EgressWallsProbe"),
        tests(
            "EscrowServiceTests", "EscrowAppWire", "EscrowConsent", "EscrowFiles", "EscrowJSON",
            "EscrowService"),
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
            "EscrowLedgerTests", "EscrowDiagnostics", "EscrowFiles", "EscrowJSON", "EscrowLedger",
            "FaultyDisk",
            crypto),
        tests(
            "EscrowHostTests", "EscrowAttestation", "EscrowComputation", "EscrowConsent", "EscrowDiagnostics",
            "EscrowEgress",
            "EscrowFiles", "EscrowHome", "EscrowHost", "EscrowIdentity", "EscrowJSON", "EscrowLedger",
            "EscrowLocation", "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation",
            "EscrowOffloadWire", "EscrowPlacement", "EscrowRelational", "EscrowRestore",
            "EscrowSandbox", "EscrowSchema", "EscrowServers", "EscrowSources", "EscrowTableKit",
            "EscrowTabular", "EscrowTrust", "TemporaryFolder"),
        tests(
            "EscrowConsentTests", "EscrowConsent", "EscrowDevice", "EscrowDiagnostics", "EscrowFiles",
            "EscrowJSON",
            "EscrowLocationPrivacy", "EscrowManifest", "EscrowMinimisation", "EscrowQuestion", "FaultyDisk",
            "TemporaryFolder"),
        tests(
            "EscrowIdentityTests", "EscrowDiagnostics", "EscrowIdentity", "EscrowMinimisation",
            "TemporaryFolder"),
        tests("EscrowBackupTests", "EscrowBackup", "EscrowDiagnostics", "TemporaryFolder"),
        tests(
            "EscrowOwnDevicesTests", "EscrowConsent", "EscrowDiagnostics", "EscrowHome", "EscrowIdentity",
            "EscrowJSON", "EscrowLedger", "EscrowOwnDevices", "EscrowTrust", "TemporaryFolder", crypto),
        // A group and its servers in one process, with a clock of its own; the benchmarks use it, too.
        .target(
            name: "GroupNetwork", dependencies: ["EscrowGroup"], path: "Tests/Support/GroupNetwork",
            swiftSettings: settings),
        tests("EscrowGroupTests", "EscrowGroup", "EscrowJSON", "GroupNetwork", crypto),
        tests("EscrowGroupAnswersTests", "EscrowGroup", "EscrowGroupAnswers", "EscrowJSON"),
        tests("EscrowMeetingTests", "EscrowMeeting", "TemporaryFolder"),
        tests(
            "EscrowSharePostgresTests", "EscrowSharePostgres", "EscrowShareClient", "EscrowShareService",
            "EscrowShareWire", "ShareServers", "TemporaryFolder", "escrow-share-server"),
        tests("EscrowSharingTests", "EscrowSharing", "TemporaryFolder"),
        .target(
            name: "ShareServers", dependencies: ["TemporaryFolder"], path: "Tests/Support/ShareServers",
            swiftSettings: settings),
        tests(
            "EscrowShareClientTests", "EscrowShareClient", "EscrowShareWire", "ShareServers",
            "TemporaryFolder"),
        tests(
            "EscrowGroupDeviceTests", "EscrowDatabase", "EscrowDiagnostics", "EscrowGroup",
            "EscrowGroupAnswers", "EscrowGroupDevice", "EscrowJSON", "EscrowShareClient", "EscrowSharing",
            "ShareServers", "TemporaryFolder"),
        tests(
            "EscrowShareServiceTests", "EscrowDiagnostics", "EscrowShareService", "EscrowShareWire",
            "TemporaryFolder"),
        tests("EscrowOffloadWireTests", "EscrowOffloadWire"),
        .target(
            name: "SoftwareTPM", dependencies: ["TemporaryFolder"], path: "Tests/Support/SoftwareTPM",
            swiftSettings: settings),
        tests("EscrowAttestationTests", "EscrowAttestation", "EscrowTPM", "SoftwareTPM"),
        tests(
            "EscrowServerRegistryTests", "EscrowDiagnostics", "EscrowServerRegistry", "TemporaryFolder"),
        tests(
            "EscrowServerServiceTests", "EscrowAttestation", "EscrowDiagnostics", "EscrowManifest",
            "EscrowOffloadWire", "EscrowSandbox", "EscrowServerRegistry", "EscrowServerService",
            "EscrowTrust", "TemporaryFolder"),
        tests(
            "EscrowAppHostTests", "EscrowAppHost", "EscrowDiagnostics", "EscrowHome", "EscrowHost",
            "EscrowLocation", "EscrowLocationPrivacy", "EscrowServiceCall", "TemporaryFolder"),
        tests(
            "EscrowPageTests", "EscrowHome", "EscrowJSON", "EscrowLedger", "EscrowLocation",
            "EscrowLocationPrivacy", "EscrowPage"),
        tests("EscrowPageServerTests", "EscrowPageServer"),
        tests(
            "EscrowMCPTests", "EscrowDiagnostics", "EscrowHome", "EscrowHost", "EscrowJSON", "EscrowMCP",
            "EscrowTabular", "TemporaryFolder"),
        tests("EscrowAppWireTests", "EscrowAppWire", "EscrowDiagnostics", "EscrowJSON"),
        tests("EscrowAppsTests", "EscrowApps", "TemporaryFolder"),
        // The app of README.md, word for word.
        .executableTarget(
            name: "NotesApp", dependencies: ["EscrowClient"], path: "Tests/Support/NotesApp",
            swiftSettings: settings),
        tests("EscrowClientTests", "EscrowClient", "EscrowJSON", "TemporaryFolder"),
        .executableTarget(
            name: "RemoteWallsProbe", dependencies: ["COffloadWalls"], path: "Tests/Support/RemoteWallsProbe"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "EscrowClient", "EscrowJSON", "SoftwareTPM", "TemporaryFolder",
            ],
            exclude: [
                "Caller", "Echo", "Hungry", "Offload/balancer.py", "Offload/faulty-link.py",
                "Offload/hostile-remote.py", "Rogue",
                "Traced",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
