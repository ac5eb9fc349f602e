// swift-tools-version: 6.2
import PackageDescription

// What `make bench` measures, and the libraries that it measures beside: nobody else fetches or compiles these.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// A program that measures, under its name, with all modules of escrow that benchmarks use.
func bench(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: "\(name)-bench",
        dependencies: [.product(name: "EscrowMeasured", package: "escrow")] + dependencies,
        path: "\(name)-bench", swiftSettings: settings)
}

let package = Package(
    name: "escrow-benchmarks",
    dependencies: [
        .package(name: "escrow", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        bench("decision"), bench("engine"), bench("group"), bench("index"), bench("location"),
        bench("sandbox"), bench("transport"),
        bench("ledger", "BenchKey"),
        bench("overhead", "CThumbnail", "DayReach", "PhoneNumbers"),
        bench(
            "egress", "BenchKey", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl")),
        // The ledgers of benchmarks are signed by it.
        .target(
            name: "BenchKey",
            dependencies: [
                .product(name: "EscrowMeasured", package: "escrow"),
                .product(name: "Crypto", package: "swift-crypto"),
            ], path: "key", swiftSettings: settings),
        // What plugins compute, for the baselines that compute it without an escrow: their own code.
        .target(name: "PhoneNumbers", path: "computations/PhoneNumbers", swiftSettings: settings),
        .target(name: "DayReach", path: "plugins/day-reach/Sources/DayReach", swiftSettings: settings),
        .target(
            name: "CThumbnail", path: "computations/CThumbnail", sources: ["thumbnail.c"],
            publicHeadersPath: ".", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png")]),
    ],
    swiftLanguageModes: [.v6]
)
