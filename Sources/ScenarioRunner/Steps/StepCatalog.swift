internal import ScenarioModel

/// Every verb a step can have.
package enum StepCatalog {
    package static let all: [StepKind] = [
        ConnectStep.kind, DisconnectStep.kind, LoseLinkStep.kind, SyncStep.kind, SendStep.kind, GetStep.kind,
        SetStep.kind, RemoveContactStep.kind, MessageStep.kind, AdvertiseStep.kind, ChangeLinkStep.cut,
        ChangeLinkStep.heal, ChangeLinkStep.degrade, PowerStep.reboot, PowerStep.powerOff, PowerStep.powerOn,
        StartFaultStep.kind, StopFaultStep.kind, WaitStep.kind, NoteStep.kind,
    ]

    package static var keywords: [String] { all.map(\.keyword) }

    package static subscript(keyword: String) -> StepKind? { all.first { $0.keyword == keyword } }
}
