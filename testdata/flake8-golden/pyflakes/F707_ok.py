try: pass
except ValueError: pass
except: pass
try: pass
except: pass
else: pass
finally: pass
try: pass
except Exception: pass
except ValueError: pass
try: pass
except* ValueError: pass
except* KeyError: pass
