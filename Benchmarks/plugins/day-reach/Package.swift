// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "day-reach",
    dependencies: [.package(name: "escrow", path: "../../../SDK/swift")],
    targets: [
        .target(name: "DayReach"),
        .executableTarget(
            name: "day-reach",
            dependencies: ["DayReach", .product(name: "EscrowPlugin", package: "escrow")]),
    ],
    swiftLanguageModes: [.v6]
)
