// Tests of ScenarioModel.
