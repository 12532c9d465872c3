print("meshrig")
