é=1
ünïcödé  = 2
漢字 = 3;字 = 4
𝒳 = 1;y=2
a = 'é' ;b = '𝒳' ;c=3
ª = µ= 1
def ſ(ﬁ=1,Å =2):pass
class Ω (Å): pass
x = 'é'+'漢'+'𝒳'
if 'é' in '漢' :pass
z = ['𝒳',1,'𝒳' , 2]  #comment
print ('𝒳𝒳')
a = f'𝒳{b }𝒳{c=}𝒳' ;
a = f'''𝒳
é{b ,c}é\d
''' ;
a = '''𝒳
é\d''' ;b = 1
é == None
l = 1; 𝒳l = 1; l𝒳 = 1
é . b
éand = 1  and éand
a = éor  or orÉ
b = é if  é else  é
c = d.é (1)
_é=1
d = 1 if é else(é)
e = é-1
f = -é
é: int=1
lambda é=1: é
