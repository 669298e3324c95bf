match a:
    case b:
        pass
    case 1 + 1:
        pass
