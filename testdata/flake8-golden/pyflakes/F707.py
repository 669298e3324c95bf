try: pass
except: pass
except ValueError: pass
try: pass
except: pass
except: pass
except ValueError as e: print(e)
else: pass
try: pass
except ValueError: pass
except:
    try: pass
    except: pass
    except KeyError: pass
except TypeError: pass
